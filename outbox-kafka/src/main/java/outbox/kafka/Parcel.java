package outbox.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import outbox.EventEnvelope;

/** An event on its way, with the record that is sent of it. */
record Parcel(EventEnvelope event, ProducerRecord<byte[], byte[]> record, Shipment shipment) {

  String topic() {
    return record.topic();
  }

  /** Whether an answer is still waited for. */
  boolean isWanted() {
    return shipment.isOpen();
  }

  void delivered() {
    shipment.delivered(event);
  }

  void failed(Throwable failure) {
    shipment.failed(event, failure);
  }

  /** About what the brokers count; a few bytes of lengths are not in it. */
  long size() {
    long size = record.value().length;
    size += record.key() == null ? 0 : record.key().length;
    for (var header : record.headers()) {
      size += header.key().length();
      size += header.value().length;
    }
    return size;
  }
}
