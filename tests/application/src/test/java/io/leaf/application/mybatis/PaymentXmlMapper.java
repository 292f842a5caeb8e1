// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatis;

import java.util.List;

import org.apache.ibatis.annotations.Mapper;

@Mapper
interface PaymentXmlMapper {

	void insert(Payment payment);

	void insertAll(List<Payment> payments);

}
