package outbox.persistence.mybatis;

import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;

@Mapper
interface OrderMapper {

  @Insert("INSERT INTO customer_order (id) VALUES (#{orderId})")
  void insert(int orderId);

  @Select("SELECT COUNT(*) FROM outbox_event")
  long countEvents();
}
