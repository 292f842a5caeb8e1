// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

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
import io.leaf.mybatis.LeafIdInterceptor;
import io.leaf.mybatis.MybatisPlusIdGenerator;
import org.apache.ibatis.session.SqlSessionFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link io.leaf.LeafId @LeafId} for MyBatis-Plus. If Leaf defined
 * a bean of type {@link IdentifierGenerator}, MyBatis-Plus would use this bean for all
 * entities, instead of the {@code IdentifierGenerator} of the application. Therefore,
 * Leaf wraps the {@code IdentifierGenerator} that MyBatis-Plus uses.
 */
@AutoConfiguration
@ConditionalOnClass({ IdentifierGenerator.class, SqlSessionFactory.class })
public final class LeafMybatisPlusAutoConfiguration {

	@Bean
	static BeanPostProcessor leafIdentifierGeneratorInstaller(ObjectProvider<IdGenerator> generator) {
		return new Installer(new LazyIdGenerator(generator));
	}

	private record Installer(Supplier<IdGenerator> generator) implements BeanPostProcessor {

		// TableInfo.getConfiguration() is deprecated, but there is no other way to find
		// the factory that an entity belongs to
		@Override
		@SuppressWarnings("deprecation")
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof SqlSessionFactory factory
					&& factory.getConfiguration() instanceof MybatisConfiguration configuration) {
				if (configuration.getInterceptors().stream().noneMatch(LeafIdInterceptor.class::isInstance)) {
					configuration.addInterceptor(new LeafIdInterceptor(this.generator));
				}
				GlobalConfig global = GlobalConfigUtils.getGlobalConfig(configuration);
				IdentifierGenerator present = global.getIdentifierGenerator();
				// several factories may share one global configuration; all factories
				// except the first find the wrapper in it
				if (!(present instanceof MybatisPlusIdGenerator)) {
					global.setIdentifierGenerator(new MybatisPlusIdGenerator(present, this.generator));
					global.setPostInitTableInfoHandler(checking(global.getPostInitTableInfoHandler()));
					TableInfoHelper.getTableInfos()
						.stream()
						.filter((table) -> table.getConfiguration() == configuration)
						.forEach(MybatisPlusIdGenerator::check);
				}
			}
			return bean;
		}

		/**
		 * Returns a handler that delegates to the given handler, and checks each entity
		 * when MyBatis-Plus registers the entity, at startup or later. The handler is a
		 * proxy, because the return types of its methods differ between versions of
		 * MyBatis-Plus.
		 */
		private static PostInitTableInfoHandler checking(PostInitTableInfoHandler handler) {
			return (PostInitTableInfoHandler) Proxy.newProxyInstance(PostInitTableInfoHandler.class.getClassLoader(),
					new Class<?>[] { PostInitTableInfoHandler.class }, (proxy, method, arguments) -> {
						try {
							Object result = method.invoke(handler, arguments);
							if (method.getName().equals("postTableInfo")) {
								MybatisPlusIdGenerator.check((TableInfo) arguments[0]);
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
