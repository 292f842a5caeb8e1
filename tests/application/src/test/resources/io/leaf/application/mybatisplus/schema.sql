CREATE TABLE refund (id BIGINT, customer VARCHAR(255));
