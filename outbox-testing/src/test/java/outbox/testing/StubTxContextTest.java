package outbox.testing;

import outbox.spi.TxContext;

class StubTxContextTest extends TxContextContract {

  private final StubTxContext tx = new StubTxContext(new InMemoryOutboxStore().connections());

  @Override
  protected TxContext txContext() {
    return tx;
  }

  @Override
  protected void begin() {
    tx.begin();
  }

  @Override
  protected void commit() {
    tx.commit();
  }

  @Override
  protected void rollback() {
    tx.rollback();
  }
}
