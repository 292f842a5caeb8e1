-- from docs/integrations.md
INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000);
-- end of docs/integrations.md
