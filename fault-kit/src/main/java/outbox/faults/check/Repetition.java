package outbox.faults.check;

import outbox.faults.history.Entry.Call;

/** A call that delivered its event, and the next one that did, begun later. */
record Repetition(Call call, Call again) {}
