------------------------------- MODULE Claims -------------------------------
(***************************************************************************)
(* How nodes share a table without order: claimed inserts, the hot path,   *)
(* polls, leases, renewals, take-overs, fenced statuses, close.            *)
(*                                                                         *)
(* A step stands for a statement that the database commits at once, or for *)
(* something that happens in the memory of one process. Between two steps  *)
(* anything can happen elsewhere, and the process can die or stand still.  *)
(*                                                                         *)
(* Left out: groups of statuses and how they are halved (each row is       *)
(* settled by itself), delays of retries (due at once), queues' lengths    *)
(* (there may be room or not), suspects that wait for each other, filters. *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Nodes, Events,
  Lease,          \* in ticks; a lock is anybody's when it is older
  MaxAttempts,
  Locking,        \* Outbox.multiNode(); without it one node that only reads
  HotPath,        \* whether rows may be inserted already claimed
  Crashes, Pauses, Closes, LostAnswers, Conflicts, Refusals,  \* how many of these may happen
  \* Mistakes; all of them FALSE is what the code does.
  Unfenced,            \* a status is written whoever has the claim
  LocalClock,          \* locks are stamped and judged by the clock of each machine
  ReleaseEarly,        \* an event is out of flight before its status is written
  CompleteEarly,       \* DONE is written before the listener is called
  DeliverUncommitted,  \* the hot path doesn't wait for the commit
  ForgetRenewal,       \* a renewal whose answer was lost is taken for one that failed
  BeginUnasked         \* nobody asks for the lease again when the start of a try is written

ASSUME Locking \/ Cardinality(Nodes) = 1

VARIABLES
  tx,        \* of each event: the business transaction that writes it
  row,       \* the table: status, attempts, locked_by and locked_at; and how old the lock is
  hook,      \* what the writer's hook keeps until the transaction has ended
  hold,      \* InFlight, Delivery and Lease: what each node has in its hands
  next,      \* InFlight: what was fetched while the event was still in flight
  poll,      \* what each node has fetched and not yet offered to its dispatcher
  ended,     \* InFlight: the attempts of what ended during a poll
  early,     \* statuses to write without a hold; only with ReleaseEarly
  state,     \* of each node
  left,      \* how many faults of each kind may still come
  calls,     \* how often a listener has taken each event
  excuses,   \* how often a node failed that had begun it and not written its status
  trespass   \* whether a row was changed by somebody who didn't have its lease

vars == <<tx, row, hook, hold, next, poll, ended, early, state, left, calls, excuses, trespass>>
memory == <<hook, hold, next, poll, ended, early>>
ghosts == <<calls, excuses, trespass>>

Nobody == "nobody"
Final == {"DONE", "DEAD"}
UnderWay == {"queued", "counting", "counted", "begun", "finished"}

\* locked_at is unlike any other that somebody remembers; 0 stands for none.
NoHold == [stage |-> "none", tries |-> 0, ats |-> {}, age |-> 0, over |-> FALSE, lost |-> FALSE,
           to |-> ""]
NoHook == [by |-> Nobody, at |-> 0, age |-> 0, met |-> FALSE]
NoPoll == [event |-> 0, tries |-> 0, at |-> 0, age |-> 0, over |-> FALSE]

Remembered(e) ==
  {row[e].at, hook[e].at}
    \cup UNION {hold[n][e].ats \cup next[n][e].ats \cup early[n][e].ats : n \in Nodes}
    \cup {poll[n].at : n \in {m \in Nodes : poll[m].event = e}}
Fresh(e) == CHOOSE s \in 1..(Cardinality(Remembered(e)) + 1) :
              s \notin Remembered(e) /\ \A t \in 1..(s - 1) : t \in Remembered(e)

Init ==
  /\ tx = [e \in Events |-> "unwritten"]
  /\ row = [e \in Events |->
             [status |-> "NEW", attempts |-> 0, by |-> Nobody, at |-> 0, age |-> 0]]
  /\ hook = [e \in Events |-> NoHook]
  /\ hold = [n \in Nodes |-> [e \in Events |-> NoHold]]
  /\ next = [n \in Nodes |-> [e \in Events |-> NoHold]]
  /\ early = [n \in Nodes |-> [e \in Events |-> NoHold]]
  /\ poll = [n \in Nodes |-> NoPoll]
  /\ ended = [n \in Nodes |-> [e \in Events |-> 0]]
  /\ state = [n \in Nodes |-> "up"]
  /\ left = [crash |-> Crashes, pause |-> Pauses, close |-> Closes, lostAnswer |-> LostAnswers,
             conflict |-> Conflicts, refusal |-> Refusals]
  /\ calls = [e \in Events |-> 0]
  /\ excuses = [e \in Events |-> 0]
  /\ trespass = FALSE

Runs(n) == state[n] \in {"up", "closing"}
Fault(kind) == left[kind] > 0 /\ left' = [left EXCEPT ![kind] = @ - 1]
IsPending(e) == tx[e] = "committed" /\ row[e].status \notin Final

\* SettleStatements.stillOurs: the row is pending and carries this very lock.
IsOurs(n, e, ats) == IsPending(e) /\ (Locking => row[e].by = n /\ row[e].at \in ats)

Locked(r, n, at) == [r EXCEPT !.by = n, !.at = at, !.age = 0]
Unlocked(r) == [r EXCEPT !.by = Nobody, !.at = 0, !.age = 0]

-----------------------------------------------------------------------------
\* The writer: OutboxWriter, DispatcherWriterHook.

\* With room in the hot queue the row is inserted already claimed. A transaction may stay open for
\* any time, and the claim grows old in it.
Write(n, e) ==
  /\ state[n] = "up"
  /\ tx[e] = "unwritten"
  /\ tx' = [tx EXCEPT ![e] = "open"]
  /\ \E claimed \in {FALSE, Locking /\ HotPath} :
       LET at == IF claimed THEN Fresh(e) ELSE 0 IN
       /\ row' = [row EXCEPT ![e] = IF claimed THEN Locked(@, n, at) ELSE @]
       /\ hook' = [hook EXCEPT ![e] = [NoHook EXCEPT !.by = n, !.at = at]]
  /\ UNCHANGED <<hold, next, poll, ended, early, state, left, ghosts>>

IsWriting(e) == tx[e] = "open" /\ (hook[e].by # Nobody => Runs(hook[e].by))

\* What others may claim is not delivered from memory: without a claim the hook has nothing to do.
Commit(e) ==
  /\ IsWriting(e)
  /\ tx' = [tx EXCEPT ![e] = "committed"]
  /\ hook' = [hook EXCEPT ![e] = IF Locking /\ @.at = 0 THEN NoHook ELSE @]
  /\ UNCHANGED <<row, hold, next, poll, ended, early, state, left, ghosts>>

\* The connection is lost during the commit: the hook is told of a rollback.
CommitUnknown(e) ==
  /\ IsWriting(e)
  /\ Fault("lostAnswer")
  /\ tx' = [tx EXCEPT ![e] = "committed"]
  /\ hook' = [hook EXCEPT ![e] = NoHook]
  /\ UNCHANGED <<row, hold, next, poll, ended, early, state, ghosts>>

\* Of the transaction, or to a savepoint before the event.
Rollback(e) ==
  /\ IsWriting(e)
  /\ tx' = [tx EXCEPT ![e] = "rolledBack"]
  /\ row' = [row EXCEPT ![e] = Unlocked(@)]
  /\ hook' = [hook EXCEPT ![e] = NoHook]
  /\ UNCHANGED <<hold, next, poll, ended, early, state, left, ghosts>>

\* Intake.takeCommitted: nothing to do if the poller was faster.
HotOffer(e) ==
  LET n == hook[e].by IN
  /\ n # Nobody
  /\ state[n] = "up"
  /\ tx[e] = "committed" \/ (DeliverUncommitted /\ tx[e] = "open")
  /\ hook' = [hook EXCEPT ![e] = NoHook]
  /\ hold' = IF hook[e].met \/ hold[n][e] # NoHold
               THEN hold
               ELSE [hold EXCEPT ![n][e] =
                      [NoHold EXCEPT !.stage = "queued", !.ats = {hook[e].at} \ {0},
                                     !.age = hook[e].age]]
  /\ UNCHANGED <<tx, row, next, poll, ended, early, state, left, ghosts>>

\* Overflow: the queue is full or closed by now, and the claim is given back.
HotOverflow(e) ==
  LET n == hook[e].by IN
  /\ n # Nobody
  /\ Runs(n)
  /\ tx[e] = "committed"
  /\ IF state[n] = "closing" THEN UNCHANGED left ELSE Fault("refusal")
  /\ row' = IF Locking /\ IsOurs(n, e, {hook[e].at})
              THEN [row EXCEPT ![e] = Unlocked(@)] ELSE row
  /\ hook' = [hook EXCEPT ![e] = NoHook]
  /\ UNCHANGED <<tx, hold, next, poll, ended, early, state, ghosts>>

-----------------------------------------------------------------------------
\* The poller: PollRound, PendingStatements.claim, Intake.takeFetched.

Ahead == CHOOSE n \in Nodes : TRUE
Clock(n) == IF LocalClock /\ n = Ahead THEN Lease + 1 ELSE 0

\* Owner and time of a claim are made before its statement, which judges other locks by the same
\* time, and so only more carefully than here.
IsFree(n, e) ==
  \/ row[e].by = Nobody
  \/ row[e].age + Clock(n) - Clock(row[e].by) > Lease

PollFetch(n, e) ==
  /\ state[n] = "up"
  /\ poll[n] = NoPoll
  /\ IsPending(e)
  /\ Locking => IsFree(n, e)
  /\ LET at == IF Locking THEN Fresh(e) ELSE 0 IN
     /\ row' = IF Locking THEN [row EXCEPT ![e] = Locked(@, n, at)] ELSE row
     /\ poll' = [poll EXCEPT ![n] = [event |-> e, tries |-> row[e].attempts, at |-> at, age |-> 0,
                                     over |-> row[e].by # Nobody]]
  /\ UNCHANGED <<tx, hook, hold, next, ended, early, state, left, ghosts>>

\* The claim is committed, and nobody knows of it.
PollAnswerLost(n, e) ==
  /\ Locking
  /\ state[n] = "up"
  /\ poll[n] = NoPoll
  /\ IsPending(e)
  /\ IsFree(n, e)
  /\ Fault("lostAnswer")
  /\ row' = [row EXCEPT ![e] = Locked(@, n, Fresh(e))]
  /\ UNCHANGED <<tx, memory, state, ghosts>>

Fetched(p) == [NoHold EXCEPT !.stage = "queued", !.tries = p.tries, !.ats = {p.at} \ {0},
                             !.age = p.age, !.over = p.over]

\* InFlight.holdFetched: what is in flight now may have its turn after, and what ended meanwhile was
\* fetched too early.
PollOffer(n) ==
  LET e == poll[n].event IN
  /\ state[n] = "up"
  /\ poll[n] # NoPoll
  /\ poll' = [poll EXCEPT ![n] = NoPoll]
  /\ hook' = IF hook[e].by = n THEN [hook EXCEPT ![e].met = ~Locking] ELSE hook
  /\ IF hold[n][e] # NoHold
       THEN next' = [next EXCEPT ![n][e] = Fetched(poll[n])] /\ UNCHANGED hold
       ELSE /\ UNCHANGED next
            /\ hold' = IF poll[n].tries < ended[n][e]
                         THEN hold ELSE [hold EXCEPT ![n][e] = Fetched(poll[n])]
  /\ ended' = [ended EXCEPT ![n] = [f \in Events |-> 0]]
  /\ UNCHANGED <<tx, row, early, state, left, ghosts>>

\* PollRound.giveBack: there is no room.
PollRefused(n) ==
  LET e == poll[n].event IN
  /\ Runs(n)
  /\ poll[n] # NoPoll
  /\ IF state[n] = "closing" THEN UNCHANGED left ELSE Fault("refusal")
  /\ poll' = [poll EXCEPT ![n] = NoPoll]
  /\ row' = IF Locking /\ IsOurs(n, e, {poll[n].at}) THEN [row EXCEPT ![e] = Unlocked(@)] ELSE row
  /\ ended' = [ended EXCEPT ![n] = [f \in Events |-> 0]]
  /\ UNCHANGED <<tx, hook, hold, next, early, state, ghosts>>

-----------------------------------------------------------------------------
\* The dispatcher: Starter, Deliverer, Concluder, Completer, LeaseKeeper.

\* Judge.judgeInterrupted: Outcome.Released, or Deferred where the start was counted.
GivenBack(n, e, d) ==
  IF IsOurs(n, e, d.ats)
    THEN [row EXCEPT ![e] = [Unlocked(@) EXCEPT !.attempts = d.tries]] ELSE row

\* InFlight.release: a follower has its turn if it was fetched after this.
LetGo(n, e, fewest) ==
  LET follower == next[n][e]
      comes == follower # NoHold /\ follower.tries >= fewest /\ state[n] = "up"
  IN /\ hold' = [hold EXCEPT ![n][e] = IF comes THEN follower ELSE NoHold]
     /\ next' = [next EXCEPT ![n][e] = NoHold]
     /\ ended' = IF poll[n] # NoPoll /\ ended[n][e] < fewest
                   THEN [ended EXCEPT ![n][e] = fewest] ELSE ended

\* Lease.isOurs: the holder measures from before the lock was taken, and stops before others begin.
MayBegin(d) == ~d.lost /\ (Locking => d.age < Lease)

\* Starter.mayBegin. What was taken over counts its try at its start, and is buried if there were
\* enough of them.
Begin(n, e) ==
  LET d == hold[n][e]
      isUnended == d.over /\ d.tries >= MaxAttempts
  IN
  /\ Runs(n)
  /\ d.stage = "queued"
  /\ isUnended \/ MayBegin(d)
  /\ hold' = [hold EXCEPT ![n][e] =
               IF isUnended THEN [@ EXCEPT !.stage = "finished", !.to = "UNENDED"]
               ELSE IF d.over THEN [@ EXCEPT !.stage = "counting"]
               ELSE IF CompleteEarly THEN [@ EXCEPT !.stage = "finished", !.to = "DONE"]
               ELSE [@ EXCEPT !.stage = "begun"]]
  /\ UNCHANGED <<tx, row, hook, next, poll, ended, early, state, left, ghosts>>

\* Outcome.Started, and Lease.awaitStart: the row says so, or the event is lost.
CountStart(n, e) ==
  LET d == hold[n][e] IN
  /\ Runs(n)
  /\ d.stage = "counting"
  /\ IF IsOurs(n, e, d.ats)
       THEN /\ row' = [row EXCEPT ![e].attempts = d.tries + 1]
            /\ hold' = [hold EXCEPT ![n][e].stage = "counted"]
            /\ UNCHANGED <<next, ended>>
       ELSE LetGo(n, e, d.tries) /\ UNCHANGED row
  /\ UNCHANGED <<tx, hook, poll, early, state, left, ghosts>>

\* Starter.isCounted: the write may have taken long, so that the lease is asked for once more.
BeginCounted(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "counted"
  /\ BeginUnasked \/ MayBegin(hold[n][e])
  /\ hold' = [hold EXCEPT ![n][e].stage = "begun"]
  /\ UNCHANGED <<tx, row, hook, next, poll, ended, early, state, left, ghosts>>

\* Starter.lost: it is not begun. A start that was counted is taken back.
GiveUp(n, e) ==
  LET d == hold[n][e] IN
  /\ Runs(n)
  /\ \/ d.stage = "queued" /\ ~(d.over /\ d.tries >= MaxAttempts)
     \/ d.stage = "counted" /\ ~BeginUnasked
  /\ ~MayBegin(d)
  /\ row' = IF d.stage = "counted" THEN GivenBack(n, e, d) ELSE row
  /\ LetGo(n, e, d.tries)
  /\ UNCHANGED <<tx, hook, poll, early, state, left, ghosts>>

Finished(n, e, to) ==
  LET d == [hold[n][e] EXCEPT !.stage = "finished", !.to = to] IN
  IF ReleaseEarly
    THEN early' = [early EXCEPT ![n][e] = d] /\ LetGo(n, e, d.tries + 1)
    ELSE hold' = [hold EXCEPT ![n][e] = d] /\ UNCHANGED <<early, next, ended>>

Succeed(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "begun"
  /\ calls' = [calls EXCEPT ![e] = @ + 1]
  /\ Finished(n, e, "DONE")
  /\ UNCHANGED <<tx, row, hook, poll, state, left, excuses, trespass>>

\* Judge
Fail(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "begun"
  /\ Finished(n, e, IF hold[n][e].tries + 1 >= MaxAttempts THEN "DEAD" ELSE "RETRY")
  /\ UNCHANGED <<tx, row, hook, poll, state, left, ghosts>>

Outcome(r, d) ==
  Unlocked(
    CASE d.to = "DONE" -> [r EXCEPT !.status = "DONE"]
      [] d.to = "UNENDED" -> [r EXCEPT !.status = "DEAD"]
      [] OTHER -> [r EXCEPT !.status = d.to, !.attempts = d.tries + 1])

\* OutboxStore.settle: changes the row or not, and either way the event is dealt with.
Written(n, e, d) ==
  LET isOurs == IsOurs(n, e, d.ats)
      changes == isOurs \/ (Unfenced /\ IsPending(e))
  IN /\ row' = IF changes THEN [row EXCEPT ![e] = Outcome(@, d)] ELSE row
     /\ trespass' = (trespass \/ (changes /\ ~isOurs))

Settle(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage \in {"finished", "postponed"}
  /\ Written(n, e, hold[n][e])
  /\ hold' = [hold EXCEPT ![n][e].stage = "written"]
  /\ UNCHANGED <<tx, hook, next, poll, ended, early, state, left, calls, excuses>>

\* The connection is lost during the commit: the status is written again.
SettleAnswerLost(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "finished"
  /\ Fault("lostAnswer")
  /\ Written(n, e, hold[n][e])
  /\ UNCHANGED <<tx, memory, state, calls, excuses>>

SettleEarly(n, e) ==
  /\ Runs(n)
  /\ early[n][e] # NoHold
  /\ Written(n, e, early[n][e])
  /\ early' = [early EXCEPT ![n][e] = NoHold]
  /\ UNCHANGED <<tx, hook, hold, next, poll, ended, state, left, calls, excuses>>

\* Completer.postpone: others keep the row, or one of its group, locked. Such statuses are tried
\* again, and their claims are not renewed.
Postpone(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "finished"
  /\ Fault("conflict")
  /\ hold' = [hold EXCEPT ![n][e].stage = "postponed"]
  /\ UNCHANGED <<tx, row, hook, next, poll, ended, early, state, ghosts>>

\* Completion.written: only now the event is out of these hands.
Release(n, e) ==
  /\ Runs(n)
  /\ hold[n][e].stage = "written"
  /\ LetGo(n, e, hold[n][e].tries + 1)
  /\ UNCHANGED <<tx, row, hook, poll, early, state, left, ghosts>>

IsAgeing(n, e) ==
  LET d == hold[n][e] IN Locking /\ d.stage \in UnderWay /\ ~d.lost /\ d.age >= 1

\* LeaseKeeper, and Outcome.Kept by the completer's thread: no status is written meanwhile.
Renew(n, e) ==
  LET d == hold[n][e] IN
  /\ Runs(n)
  /\ IsAgeing(n, e)
  /\ IF IsOurs(n, e, d.ats)
       THEN LET at == Fresh(e) IN
            /\ row' = [row EXCEPT ![e] = Locked(@, n, at)]
            /\ hold' = [hold EXCEPT ![n][e] = [@ EXCEPT !.ats = {at}, !.age = 0]]
       ELSE hold' = [hold EXCEPT ![n][e].lost = TRUE] /\ UNCHANGED row
  /\ UNCHANGED <<tx, hook, next, poll, ended, early, state, left, ghosts>>

\* Nobody knows which of the two locks the row has.
RenewAnswerLost(n, e) ==
  LET d == hold[n][e] IN
  /\ Runs(n)
  /\ IsAgeing(n, e)
  /\ IsOurs(n, e, d.ats)
  /\ Fault("lostAnswer")
  /\ LET at == Fresh(e) IN
     /\ row' = [row EXCEPT ![e] = Locked(@, n, at)]
     /\ hold' = [hold EXCEPT ![n][e].ats = IF ForgetRenewal THEN @ ELSE @ \cup {at}]
  /\ UNCHANGED <<tx, hook, next, poll, ended, early, state, ghosts>>

-----------------------------------------------------------------------------
\* WorkerPool.close, and what befalls nodes.

Close(n) ==
  /\ state[n] = "up"
  /\ Fault("close")
  /\ state' = [state EXCEPT ![n] = "closing"]
  /\ UNCHANGED <<tx, row, memory, ghosts>>

\* What was not begun, or is interrupted, is given back and counts no attempt. A listener that
\* outlives close is as good as a node that stands still.
GiveBack(n, e) ==
  LET d == hold[n][e] IN
  /\ state[n] = "closing"
  /\ d.stage \in {"queued", "counted", "begun"}
  /\ row' = GivenBack(n, e, d)
  /\ LetGo(n, e, d.tries)
  /\ UNCHANGED <<tx, hook, poll, early, state, left, ghosts>>

IsEmpty(n) == \A e \in Events : hold[n][e] = NoHold /\ early[n][e] = NoHold /\ hook[e].by # n

Closed(n) ==
  /\ state[n] = "closing"
  /\ IsEmpty(n)
  /\ poll[n] = NoPoll
  /\ state' = [state EXCEPT ![n] = "down"]
  /\ next' = [next EXCEPT ![n] = [e \in Events |-> NoHold]]
  /\ ended' = [ended EXCEPT ![n] = [e \in Events |-> 0]]
  /\ UNCHANGED <<tx, row, hook, hold, poll, early, left, ghosts>>

\* A listener may have been called, and no status is written.
HasBegun(d) == d.stage \in {"begun", "finished", "postponed"}

\* A node that has nothing has nothing to lose.
HasSomething(n) == poll[n] # NoPoll \/ ~IsEmpty(n)

Crash(n) ==
  /\ state[n] # "down"
  /\ HasSomething(n)
  /\ Fault("crash")
  /\ state' = [state EXCEPT ![n] = "down"]
  /\ tx' = [e \in Events |-> IF hook[e].by = n /\ tx[e] = "open" THEN "rolledBack" ELSE tx[e]]
  /\ row' = [e \in Events |-> IF hook[e].by = n /\ tx[e] = "open" THEN Unlocked(row[e]) ELSE row[e]]
  /\ hook' = [e \in Events |-> IF hook[e].by = n THEN NoHook ELSE hook[e]]
  /\ excuses' = [e \in Events |-> excuses[e] + IF HasBegun(hold[n][e]) THEN 1 ELSE 0]
  /\ hold' = [hold EXCEPT ![n] = [e \in Events |-> NoHold]]
  /\ next' = [next EXCEPT ![n] = [e \in Events |-> NoHold]]
  /\ early' = [early EXCEPT ![n] = [e \in Events |-> NoHold]]
  /\ ended' = [ended EXCEPT ![n] = [e \in Events |-> 0]]
  /\ poll' = [poll EXCEPT ![n] = NoPoll]
  /\ UNCHANGED <<calls, trespass>>

Restart(n) ==
  /\ state[n] = "down"
  /\ state' = [state EXCEPT ![n] = "up"]
  /\ UNCHANGED <<tx, row, memory, left, ghosts>>

\* SIGSTOP, a garbage collection, a suspended machine; or no way to the database.
Pause(n) ==
  /\ state[n] = "up"
  /\ HasSomething(n)
  /\ Fault("pause")
  /\ state' = [state EXCEPT ![n] = "paused"]
  /\ UNCHANGED <<tx, row, memory, ghosts>>

\* What lasts no longer than others wait is but a slow step.
Resume(n) ==
  /\ state[n] = "paused"
  /\ \/ poll[n].age >= Lease
     \/ \E e \in Events : \/ hook[e].by = n /\ hook[e].age >= Lease
                          \/ hold[n][e].age >= Lease
  /\ state' = [state EXCEPT ![n] = "up"]
  /\ UNCHANGED <<tx, row, memory, left, ghosts>>

\* A node that runs does at once what takes no waiting, and renews in time.
IsUrgent(n) ==
  /\ Runs(n)
  /\ \/ poll[n] # NoPoll
     \/ \E e \in Events : \/ hook[e].by = n /\ tx[e] = "committed"
                          \/ hold[n][e].stage = "written"
                          \/ IsAgeing(n, e) /\ hold[n][e].age \in {Lease - 1, Lease}

Older(age) == IF age > Lease THEN age ELSE age + 1
OlderHold(d) == IF d.ats = {} THEN d ELSE [d EXCEPT !.age = Older(@)]
OlderHolds(holds) == [n \in Nodes |-> [e \in Events |-> OlderHold(holds[n][e])]]

\* Time passes everywhere. A node that stands still for longer than its lease with a call under way
\* has failed, and so has one that was kept from writing a status for that long.
Tick ==
  /\ Locking
  /\ \A n \in Nodes : ~IsUrgent(n)
  /\ row' = [e \in Events |->
              IF row[e].by = Nobody THEN row[e] ELSE [row[e] EXCEPT !.age = Older(@)]]
  /\ hook' = [e \in Events |->
               IF hook[e].at = 0 THEN hook[e] ELSE [hook[e] EXCEPT !.age = Older(@)]]
  /\ poll' = [n \in Nodes |->
               IF poll[n] = NoPoll THEN poll[n] ELSE [poll[n] EXCEPT !.age = Older(@)]]
  /\ hold' = OlderHolds(hold)
  /\ next' = OlderHolds(next)
  /\ early' = OlderHolds(early)
  /\ excuses' = [e \in Events |->
       excuses[e] + Cardinality(
         {n \in Nodes : /\ HasBegun(hold[n][e])
                        /\ hold[n][e].age = Lease
                        /\ state[n] = "paused" \/ hold[n][e].stage = "postponed"})]
  /\ UNCHANGED <<tx, ended, state, left, calls, trespass>>

-----------------------------------------------------------------------------
Next ==
  \/ Tick
  \/ \E e \in Events : \/ Commit(e) \/ CommitUnknown(e) \/ Rollback(e)
                       \/ HotOffer(e) \/ HotOverflow(e)
  \/ \E n \in Nodes : \/ PollOffer(n) \/ PollRefused(n)
                      \/ Close(n) \/ Closed(n) \/ Crash(n) \/ Restart(n) \/ Pause(n) \/ Resume(n)
  \/ \E n \in Nodes, e \in Events :
       \/ Write(n, e) \/ PollFetch(n, e) \/ PollAnswerLost(n, e)
       \/ Begin(n, e) \/ CountStart(n, e) \/ BeginCounted(n, e) \/ GiveUp(n, e)
       \/ Succeed(n, e) \/ Fail(n, e)
       \/ Settle(n, e) \/ SettleAnswerLost(n, e) \/ SettleEarly(n, e) \/ Postpone(n, e)
       \/ Release(n, e) \/ Renew(n, e) \/ RenewAnswerLost(n, e) \/ GiveBack(n, e)

Spec == Init /\ [][Next]_vars

\* Whoever runs goes on, and whoever is down or stands still comes back.
Fairness ==
  /\ WF_vars(Tick)
  /\ \A n \in Nodes : /\ WF_vars(PollOffer(n) \/ PollRefused(n)) /\ WF_vars(Restart(n)) /\ WF_vars(Resume(n))
                      /\ WF_vars(Closed(n))
  /\ \A e \in Events : WF_vars(HotOffer(e) \/ HotOverflow(e))
  /\ \A n \in Nodes, e \in Events :
       /\ SF_vars(PollFetch(n, e)) /\ SF_vars(Begin(n, e)) /\ WF_vars(CountStart(n, e))
       /\ SF_vars(BeginCounted(n, e))
       /\ WF_vars(GiveUp(n, e)) /\ WF_vars(Succeed(n, e) \/ Fail(n, e)) /\ WF_vars(Settle(n, e))
       /\ WF_vars(Release(n, e)) /\ WF_vars(Renew(n, e)) /\ WF_vars(GiveBack(n, e))

FairSpec == Spec /\ Fairness

Symmetry == Permutations(Nodes)

-----------------------------------------------------------------------------
\* What is promised.

OnlyCommittedIsDelivered ==
  \A e \in Events : tx[e] # "committed" =>
    calls[e] = 0 /\ \A n \in Nodes : hold[n][e].stage # "begun"

DoneMeansDelivered == \A e \in Events : row[e].status = "DONE" => calls[e] > 0

\* Without a failure once, and with failures no more often than a node failed that had it.
RepeatsOnlyAfterFailure == \A e \in Events : calls[e] <= 1 + excuses[e]

ZombieChangesNothing == ~trespass

BuriedOnlyWhenTriesAreUsedUp ==
  \A e \in Events : row[e].status = "DEAD" => row[e].attempts >= MaxAttempts

FinalStays == [][\A e \in Events : row[e].status \in Final => row'[e] = row[e]]_vars

EventuallyEnds ==
  \A e \in Events : tx[e] = "committed" ~> row[e].status \in Final

-----------------------------------------------------------------------------
\* What must have been seen, or the above says nothing.

ASSUME \A i \in 1..7 : TLCSet(i, FALSE)
Saw(i, what, is) == IF is /\ ~TLCGet(i) THEN PrintT(what) /\ TLCSet(i, TRUE) ELSE TRUE

Seen ==
  /\ Saw(1, "delivered", \E e \in Events : row[e].status = "DONE")
  /\ Saw(2, "buried", \E e \in Events : row[e].status = "DEAD")
  /\ Saw(3, "tried again", \E e \in Events : calls[e] > 0 /\ row[e].attempts > 0)
  /\ Saw(4, "taken over", \E n \in Nodes, e \in Events :
                            hold[n][e].stage = "begun" /\ hold[n][e].over)
  /\ Saw(5, "delivered twice", \E e \in Events : calls[e] > 1)
  /\ Saw(6, "zombie refused", \E n, m \in Nodes, e \in Events :
                                /\ hold[n][e].stage = "written" /\ hold[n][e].to = "DONE"
                                /\ m # n /\ row[e].by = m /\ hold[m][e].stage = "begun")
  /\ Saw(7, "fetched early", \E n \in Nodes, e \in Events :
                               next[n][e] # NoHold /\ next[n][e].tries > hold[n][e].tries)
=============================================================================
