package outbox.kafka;

import java.util.List;

/** Gives parcels to the producer, and sees to it that each is answered. One thread calls it. */
interface Carrier {

  void carry(List<Parcel> parcels);
}
