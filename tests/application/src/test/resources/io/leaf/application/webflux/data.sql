INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 100), ('item', 1, 100), ('batch', 1, 100), ('shared', 1, 100), ('sold', 1, 100), ('load', 1, 10);
INSERT INTO invoice (id, customer) VALUES (1000, 'Ada');
