// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.config.GlobalConfig;
import com.baomidou.mybatisplus.core.handlers.PostInitTableInfoHandler;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import io.leaf.IdGenerator;
import io.leaf.mybatis.LeafIdentifierGenerator;
import org.apache.ibatis.session.SqlSessionFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link io.leaf.LeafId @LeafId} for MyBatis-Plus. A bean of type
 * {@link IdentifierGenerator} would issue the IDs of all entities, and displace what the
 * application has configured; so the generator is put in front of the one that is there.
 */
@AutoConfiguration
@ConditionalOnClass({ IdentifierGenerator.class, SqlSessionFactory.class })
public final class LeafMybatisPlusAutoConfiguration {

	@Bean
	static BeanPostProcessor leafIdentifierGeneratorInstaller(ObjectProvider<IdGenerator> generator) {
		return new Installer(new LazyIdGenerator(generator));
	}

	private record Installer(Supplier<IdGenerator> generator) implements BeanPostProcessor {

		@Override
		@SuppressWarnings("deprecation") // nothing else tells whose the entities are
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof SqlSessionFactory factory
					&& factory.getConfiguration() instanceof MybatisConfiguration configuration) {
				GlobalConfig global = GlobalConfigUtils.getGlobalConfig(configuration);
				IdentifierGenerator present = global.getIdentifierGenerator();
				// one global configuration may serve several factories
				if (!(present instanceof LeafIdentifierGenerator)) {
					global.setIdentifierGenerator(new LeafIdentifierGenerator(present, this.generator));
					global.setPostInitTableInfoHandler(checking(global.getPostInitTableInfoHandler()));
					TableInfoHelper.getTableInfos()
						.stream()
						.filter((table) -> table.getConfiguration() == configuration)
						.forEach(LeafIdentifierGenerator::check);
				}
			}
			return bean;
		}

		/**
		 * Has each entity checked when it becomes known, at the start or later. A proxy,
		 * since the methods return other types in some versions of MyBatis-Plus.
		 */
		private static PostInitTableInfoHandler checking(PostInitTableInfoHandler handler) {
			return (PostInitTableInfoHandler) Proxy.newProxyInstance(PostInitTableInfoHandler.class.getClassLoader(),
					new Class<?>[] { PostInitTableInfoHandler.class }, (proxy, method, arguments) -> {
						try {
							Object result = method.invoke(handler, arguments);
							if (method.getName().equals("postTableInfo")) {
								LeafIdentifierGenerator.check((TableInfo) arguments[0]);
							}
							return result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

}
