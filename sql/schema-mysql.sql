-- Leaf's tables for MySQL 8. May be run again at any time.

-- Segments. A row is a key: max_id is the smallest number not yet allocated, step the
-- length of a segment. Keys are compared exactly, save for spaces at their end.
CREATE TABLE IF NOT EXISTS leaf_alloc (
  biz_tag     VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  max_id      BIGINT       NOT NULL DEFAULT 1,
  step        INT          NOT NULL,
  description VARCHAR(256)          DEFAULT NULL,
  update_time TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (biz_tag)
) ENGINE = InnoDB;

-- Worker IDs, for leaf.snowflake.worker.source=jdbc. A row is a worker ID of the
-- application called name (leaf.name). Its owner, empty where it was released, may use it
-- for timestamps up to horizon. The row with worker_id -1 holds the layout of the IDs, the
-- same for all processes. Times are milliseconds since 1970 (UTC), stored_at by the clock
-- of the database. Deleting a row that is in use may have IDs issued twice.
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
