INSERT INTO refund (id, customer) VALUES (41, 'from before');
