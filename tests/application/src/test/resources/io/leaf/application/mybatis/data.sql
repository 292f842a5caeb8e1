INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('payment', 1, 1000);
