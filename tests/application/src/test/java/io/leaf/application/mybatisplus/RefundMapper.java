// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatisplus;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;

@Mapper
interface RefundMapper extends BaseMapper<Refund> {

	@Insert("INSERT INTO refund (id, customer) VALUES (#{id}, UPPER(#{customer}))")
	void insertInCapitals(Refund refund);

}
