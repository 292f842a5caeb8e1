-- Leaf's tables for MariaDB. This script can be run again at any time.

-- Segments: one row per key. max_id is the smallest number not yet allocated. step is the
-- smallest number of IDs that a fetch allocates. Keys are compared exactly, except for
-- trailing spaces.
CREATE TABLE IF NOT EXISTS leaf_alloc (
  biz_tag     VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  max_id      BIGINT       NOT NULL DEFAULT 1,
  step        INT          NOT NULL,
  description VARCHAR(256)          DEFAULT NULL,
  update_time TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (biz_tag)
) ENGINE = InnoDB;

-- Worker IDs, for leaf.snowflake.worker.source=jdbc and for Leaf servers: one row per
-- worker ID of an application. name is the leaf.name of the application. The owner may
-- use the worker ID for timestamps up to horizon. If the worker ID was released, owner is
-- empty. The row with worker_id -1 holds the layout of the IDs, which is the same for all
-- processes of the application. Times are milliseconds since 1970 (UTC). stored_at is the
-- time of the last write, by the database's clock. Deleting a row that is in use can
-- cause duplicate IDs.
CREATE TABLE IF NOT EXISTS leaf_worker (
  name       VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  worker_id  BIGINT       NOT NULL,
  version    BIGINT       NOT NULL,
  owner      VARCHAR(64)  NOT NULL,
  horizon    BIGINT       NOT NULL,
  host       VARCHAR(300) NOT NULL,
  since      BIGINT       NOT NULL,
  reported   BIGINT       NOT NULL,
  stored_at  BIGINT       NOT NULL,
  layout     VARCHAR(100)          DEFAULT NULL,
  PRIMARY KEY (name, worker_id)
) ENGINE = InnoDB;

-- For leaf.segment.failover-gap: one row per segment table. server is the database server
-- on which the counters (max_id) of the table are advanced. A process that finds itself
-- connected to another server raises all counters and records the new server in the row,
-- in one statement. failovers is by how many gaps they have been raised at most, raised
-- the sum, and gap the largest leaf.segment.failover-gap that has been used.
CREATE TABLE IF NOT EXISTS leaf_primary (
  table_name VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  server     VARCHAR(300) NOT NULL,
  failovers  BIGINT       NOT NULL,
  gap        BIGINT       NOT NULL,
  raised     BIGINT       NOT NULL,
  version    BIGINT       NOT NULL,
  raised_at  VARCHAR(2000) NOT NULL,
  PRIMARY KEY (table_name)
) ENGINE = InnoDB;
