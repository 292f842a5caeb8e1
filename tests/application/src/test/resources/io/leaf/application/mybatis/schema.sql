CREATE TABLE payment (id BIGINT, customer VARCHAR(255));
