// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatis;

import java.util.List;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;

@Mapper
interface PaymentMapper {

	@Insert("INSERT INTO payment (id, customer) VALUES (#{id}, #{customer})")
	void insert(Payment payment);

	@Insert("""
			<script>
			INSERT INTO payment (id, customer) VALUES
			<foreach collection="payments" item="p" separator=",">(#{p.id}, #{p.customer})</foreach>
			</script>
			""")
	void insertAll(@Param("payments") List<Payment> payments);

}
