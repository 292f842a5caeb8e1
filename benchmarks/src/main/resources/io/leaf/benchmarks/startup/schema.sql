CREATE TABLE orders (id BIGINT PRIMARY KEY, placed_at TIMESTAMP NOT NULL);

CREATE TABLE IF NOT EXISTS leaf_alloc (
  biz_tag     VARCHAR(128) NOT NULL PRIMARY KEY,
  max_id      BIGINT       NOT NULL DEFAULT 1,
  step        INT          NOT NULL,
  description VARCHAR(256),
  update_time TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
);

INSERT INTO leaf_alloc (biz_tag, max_id, step) SELECT 'key-' || x, 1, 1000 FROM SYSTEM_RANGE(1, 50);
