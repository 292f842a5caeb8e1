INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 500, 10);
