CREATE TABLE orders (id BIGINT PRIMARY KEY, item VARCHAR(255) NOT NULL);
INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000);
