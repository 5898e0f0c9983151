----------------------------- MODULE Partitions -----------------------------
(***************************************************************************)
(* How nodes share the partitions of an ordered relay: sessions and their  *)
(* fences, leases with epochs, hand-over after draining, take-over of what *)
(* has expired, lanes with one event at a time, statuses behind the fence. *)
(*                                                                         *)
(* A step stands for a statement or transaction of the database, or for    *)
(* something that happens in the memory of one process. A transaction that *)
(* holds the fence of a session excludes the one that ends the session, so *)
(* that each of them is one step; UnlockedFence shows what that is for.    *)
(*                                                                         *)
(* Left out: how a page finds what is committed late (see Cursor; here a   *)
(* page has all that is pending), room in memory, blocked keys (a dead     *)
(* event is passed), starts that are counted (see Claims), the number of   *)
(* partitions, which never changes.                                        *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
  Nodes,
  Events,       \* numbers: the order in which those of a key are committed
  Keys,         \* how many keys; an event's is its number modulo this
  Partitions,   \* how many; a key's is its number modulo this
  Lease,        \* in ticks; a session that was not renewed for longer can be ended
  MaxAttempts,
  Crashes, Pauses, Closes, LostAnswers,  \* how many of these may happen
  \* Mistakes; all of them FALSE is what the code does.
  IgnoreEpoch,          \* a node goes on with partitions that have got a new owner
  UnlockedFence,        \* the fence is looked at and not held while a status is written
  HandOverUndrained,    \* a partition is released while events of it are under way
  ReleaseEarly,         \* the next event of a key comes before the status is written
  TakeInEnded           \* what ended while a page was read is delivered again

VARIABLES
  written,   \* the events that are committed
  row,       \* outbox_event: status and attempts
  session,   \* outbox_node and outbox_fence: whether a session is there, and since when unrenewed
  lease,     \* outbox_lease: the session that has a partition, and the epoch
  node,      \* Membership: state, session, partitions that are delivered, and that are leaving
  lane,      \* Lanes: the attempts of events that wait in memory; -1 for none
  turn,      \* Turn: what is in the dispatcher's hands, by node and event
  page,      \* Scanner: what each node has read and not yet taken in
  ended,     \* Lanes.endedDuringRead
  left,      \* how many faults of each kind may still come
  calls, excuses, trespass  \* as in Claims

vars == <<written, row, session, lease, node, lane, turn, page, ended, left,
          calls, excuses, trespass>>
memory == <<lane, turn, page, ended>>
ghosts == <<calls, excuses, trespass>>

Final == {"DONE", "DEAD"}
Parts == 0..(Partitions - 1)
KeyOf(e) == e % Keys
PartOf(e) == KeyOf(e) % Partitions
SameKey(e, f) == KeyOf(e) = KeyOf(f)

\* Every start and every loss of a session is followed by a new one.
Sessions == 1..(Cardinality(Nodes) + Crashes + Pauses + Closes)
None == 0

NoTurn == [stage |-> "none", session |-> None, epoch |-> 0, tries |-> 0, isLive |-> FALSE,
           to |-> "", isWritten |-> FALSE]
NoPage == [isRead |-> FALSE, share |-> {}, rows |-> {}]
Start == [state |-> "up", session |-> None, owned |-> {}, leaving |-> {}]

Init ==
  /\ written = {}
  /\ row = [e \in Events |-> [status |-> "NEW", attempts |-> 0]]
  /\ session = [s \in Sessions |-> [is |-> "unused", age |-> 0]]
  /\ lease = [p \in Parts |-> [by |-> None, epoch |-> 0]]
  /\ node = [n \in Nodes |-> Start]
  /\ lane = [n \in Nodes |-> [e \in Events |-> -1]]
  /\ turn = [n \in Nodes |-> [e \in Events |-> NoTurn]]
  /\ page = [n \in Nodes |-> NoPage]
  /\ ended = [n \in Nodes |-> {}]
  /\ left = [crash |-> Crashes, pause |-> Pauses, close |-> Closes, lostAnswer |-> LostAnswers]
  /\ calls = [e \in Events |-> 0]
  /\ excuses = [e \in Events |-> 0]
  /\ trespass = FALSE

Runs(n) == node[n].state \in {"up", "closing"}
Fault(kind) == left[kind] > 0 /\ left' = [left EXCEPT ![kind] = @ - 1]
IsPending(e) == e \in written /\ row[e].status \notin Final
Lives(s) == s # None /\ session[s].is = "alive"
HeldBy(s) == {p \in Parts : lease[p].by = s}

\* Transactions of one key take turns.
Write(e) ==
  /\ e \notin written
  /\ \A f \in Events : f < e /\ SameKey(e, f) => f \in written
  /\ written' = written \cup {e}
  /\ UNCHANGED <<row, session, lease, node, memory, left, ghosts>>

-----------------------------------------------------------------------------
\* Membership and LeaseStatements.

Join(n) ==
  /\ node[n].state = "up"
  /\ node[n].session = None
  /\ \E s \in Sessions :
       /\ session[s].is = "unused"
       /\ \A t \in Sessions : t < s => session[t].is # "unused"
       /\ session' = [session EXCEPT ![s] = [is |-> "alive", age |-> 0]]
       /\ node' = [node EXCEPT ![n].session = s]
  /\ UNCHANGED <<written, row, lease, memory, left, ghosts>>

\* Lanes.disown: nothing more is handed over, and what is under way ends by itself.
Disowned(n, parts) ==
  /\ lane' = [lane EXCEPT ![n] = [e \in Events |-> IF PartOf(e) \in parts THEN -1 ELSE @[e]]]
  /\ turn' = [turn EXCEPT ![n] =
               [e \in Events |-> IF PartOf(e) \in parts THEN [@[e] EXCEPT !.isLive = FALSE] ELSE @[e]]]
  /\ page' = [page EXCEPT ![n].share = @ \ parts]

Renew(n) ==
  LET s == node[n].session IN
  /\ Runs(n)
  /\ s # None
  /\ session[s].age >= 1
  /\ Lives(s)
  /\ session' = [session EXCEPT ![s].age = 0]
  /\ UNCHANGED <<written, row, lease, node, memory, left, ghosts>>

\* Others have ended the session, and it is followed by a new one.
Lose(n) ==
  LET s == node[n].session IN
  /\ Runs(n)
  /\ s # None
  /\ ~Lives(s)
  /\ ~IgnoreEpoch
  /\ node' = [node EXCEPT ![n] = [@ EXCEPT !.session = None, !.owned = {}, !.leaving = {}]]
  /\ Disowned(n, Parts)
  /\ UNCHANGED <<written, row, session, lease, ended, left, ghosts>>

\* LeaseTable.view ends what has expired by the database's clock.
End(n, s) ==
  /\ Runs(n)
  /\ Lives(s)
  /\ session[s].age > Lease
  /\ s # node[n].session
  /\ session' = [session EXCEPT ![s].is = "ended"]
  /\ lease' = [p \in Parts |-> IF lease[p].by = s THEN [lease[p] EXCEPT !.by = None] ELSE lease[p]]
  /\ UNCHANGED <<written, row, node, memory, left, ghosts>>

\* Membership.shareOf: where it doesn't come out even, those that have more keep one more.
Share(n) ==
  LET mine == node[n].session
      all == {s \in Sessions : Lives(s)}
      Has(s) == Cardinality(HeldBy(s))
      place == Cardinality({s \in all : Has(s) > Has(mine) \/ (Has(s) = Has(mine) /\ s < mine)})
  IN IF node[n].state = "closing" THEN 0
     ELSE (Partitions \div Cardinality(all))
            + IF place < Partitions % Cardinality(all) THEN 1 ELSE 0

MayAcquire(n, p) ==
  /\ node[n].state = "up"
  /\ Lives(node[n].session)
  /\ lease[p].by = None
  /\ Cardinality(HeldBy(node[n].session)) < Share(n)

Acquired(n, p) ==
  lease' = [lease EXCEPT ![p] = [by |-> node[n].session, epoch |-> @.epoch + 1]]

Acquire(n, p) ==
  /\ MayAcquire(n, p)
  /\ Acquired(n, p)
  /\ node' = [node EXCEPT ![n].owned = @ \cup {p}]
  /\ UNCHANGED <<written, row, session, memory, left, ghosts>>

AcquireAnswerLost(n, p) ==
  /\ MayAcquire(n, p)
  /\ Acquired(n, p)
  /\ Fault("lostAnswer")
  /\ UNCHANGED <<written, row, session, node, memory, ghosts>>

\* Membership.ownHeld: the table knows better.
OwnHeld(n, p) ==
  /\ Runs(n)
  /\ Lives(node[n].session)
  /\ lease[p].by = node[n].session
  /\ p \notin node[n].owned \cup node[n].leaving
  /\ node' = [node EXCEPT ![n].owned = @ \cup {p}]
  /\ UNCHANGED <<written, row, session, lease, memory, left, ghosts>>

Disown(n, p) ==
  /\ Runs(n)
  /\ Lives(node[n].session)
  /\ p \in node[n].owned
  /\ Cardinality(HeldBy(node[n].session)) - Cardinality(node[n].leaving) > Share(n)
  /\ node' = [node EXCEPT ![n] = [@ EXCEPT !.owned = @ \ {p}, !.leaving = @ \cup {p}]]
  /\ Disowned(n, {p})
  /\ UNCHANGED <<written, row, session, lease, ended, left, ghosts>>

IsDrained(n, p) == \A e \in Events : PartOf(e) = p => turn[n][e] = NoTurn

Release(n, p) ==
  /\ Runs(n)
  /\ p \in node[n].leaving
  /\ IsDrained(n, p) \/ HandOverUndrained
  /\ lease' = IF lease[p].by = node[n].session THEN [lease EXCEPT ![p].by = None] ELSE lease
  /\ node' = [node EXCEPT ![n].leaving = @ \ {p}]
  /\ UNCHANGED <<written, row, session, memory, left, ghosts>>

-----------------------------------------------------------------------------
\* Scanner, Lanes and Flow.

Read(n) ==
  /\ node[n].state = "up"
  /\ ~page[n].isRead
  /\ node[n].owned # {}
  /\ LET rows == {[event |-> e, tries |-> row[e].attempts] :
                    e \in {f \in Events : IsPending(f) /\ PartOf(f) \in node[n].owned}}
     IN /\ rows # {}
        /\ page' = [page EXCEPT ![n] = [isRead |-> TRUE, share |-> node[n].owned, rows |-> rows]]
  /\ ended' = [ended EXCEPT ![n] = {}]
  /\ UNCHANGED <<written, row, session, lease, node, lane, turn, left, ghosts>>

\* Not what has ended since, nor what is in memory or under way, nor of partitions that were lost
\* since, though they may be back.
TakeIn(n) ==
  LET Wanted(r) == /\ PartOf(r.event) \in page[n].share
                   /\ r.event \notin ended[n] \/ TakeInEnded
                   /\ lane[n][r.event] = -1
                   /\ ~turn[n][r.event].isLive
      rows == {r \in page[n].rows : Wanted(r)}
  IN /\ node[n].state = "up"
     /\ page[n].isRead
     /\ lane' = [lane EXCEPT ![n] =
          [e \in Events |-> IF \E r \in rows : r.event = e
                              THEN (CHOOSE r \in rows : r.event = e).tries ELSE @[e]]]
     /\ page' = [page EXCEPT ![n] = NoPage]
     /\ UNCHANGED <<written, row, session, lease, node, turn, ended, left, ghosts>>

IsRunning(n, e) ==
  /\ turn[n][e].isLive
  /\ ReleaseEarly => turn[n][e].stage \notin {"finished", "checked", "written"}

\* Flow.handOver: the first of its key, when no other of the key is under way. One that this node
\* still has under an old session comes later.
HandOver(n, e) ==
  /\ node[n].state = "up"
  /\ PartOf(e) \in node[n].owned
  /\ lane[n][e] >= 0
  /\ \A f \in Events : f < e /\ SameKey(e, f) => lane[n][f] = -1
  /\ \A f \in Events : SameKey(e, f) => ~IsRunning(n, f)
  /\ turn[n][e] = NoTurn
  /\ turn' = [turn EXCEPT ![n][e] =
               [NoTurn EXCEPT !.stage = "queued", !.session = node[n].session, !.isLive = TRUE,
                              !.epoch = lease[PartOf(e)].epoch, !.tries = lane[n][e]]]
  /\ lane' = [lane EXCEPT ![n][e] = -1]
  /\ UNCHANGED <<written, row, session, lease, node, page, ended, left, ghosts>>

\* Session.isAlive: by this node's own clock, from before the last renewal.
IsAlive(n, s) == IgnoreEpoch \/ (s = node[n].session /\ session[s].age < Lease)

Begin(n, e) ==
  /\ Runs(n)
  /\ turn[n][e].stage = "queued"
  /\ IsAlive(n, turn[n][e].session)
  /\ turn' = [turn EXCEPT ![n][e].stage = "begun"]
  /\ UNCHANGED <<written, row, session, lease, node, lane, page, ended, left, ghosts>>

\* Lane.missesFrom: what is not begun is read again, with all that waits behind it, and not taken in
\* from a page that was read before.
Forget(n, e) ==
  LET behind == {f \in Events : SameKey(e, f)} IN
  /\ lane' = [lane EXCEPT ![n] = [f \in Events |-> IF f \in behind THEN -1 ELSE @[f]]]
  /\ ended' = [ended EXCEPT ![n] = @ \cup behind]

GiveUp(n, e) ==
  /\ Runs(n)
  /\ turn[n][e].stage = "queued"
  /\ ~IsAlive(n, turn[n][e].session) \/ node[n].state = "closing"
  /\ turn' = [turn EXCEPT ![n][e] = NoTurn]
  /\ IF turn[n][e].isLive THEN Forget(n, e) ELSE UNCHANGED <<lane, ended>>
  /\ UNCHANGED <<written, row, session, lease, node, page, left, ghosts>>

Succeed(n, e) ==
  /\ Runs(n)
  /\ turn[n][e].stage = "begun"
  /\ calls' = [calls EXCEPT ![e] = @ + 1]
  /\ turn' = [turn EXCEPT ![n][e] = [@ EXCEPT !.stage = "finished", !.to = "DONE"]]
  /\ UNCHANGED <<written, row, session, lease, node, lane, page, ended, left, excuses, trespass>>

Fail(n, e) ==
  /\ Runs(n)
  /\ turn[n][e].stage = "begun"
  /\ turn' = [turn EXCEPT ![n][e] =
               [@ EXCEPT !.stage = "finished",
                         !.to = IF turn[n][e].tries + 1 >= MaxAttempts THEN "DEAD" ELSE "RETRY"]]
  /\ UNCHANGED <<written, row, session, lease, node, lane, page, ended, left, ghosts>>

Changed(n, e, t) ==
  /\ row' = [row EXCEPT ![e] =
              [status |-> t.to, attempts |-> IF t.to = "DONE" THEN @.attempts ELSE t.tries + 1]]
  /\ trespass' = (trespass \/ lease[PartOf(e)].by # t.session)

\* FencedStore.settle: in the transaction that holds the fence of the session.
Settle(n, e) ==
  LET t == turn[n][e]
      changes == IsPending(e) /\ (Lives(t.session) \/ IgnoreEpoch)
  IN /\ Runs(n)
     /\ t.stage = "finished"
     /\ ~UnlockedFence
     /\ IF changes THEN Changed(n, e, t) ELSE UNCHANGED <<row, trespass>>
     /\ turn' = [turn EXCEPT ![n][e] = [@ EXCEPT !.stage = "written", !.isWritten = changes]]
     /\ UNCHANGED <<written, session, lease, node, lane, page, ended, left, calls, excuses>>

\* The same with UnlockedFence, in two steps.
CheckFence(n, e) ==
  LET t == turn[n][e] IN
  /\ Runs(n)
  /\ UnlockedFence
  /\ t.stage = "finished"
  /\ turn' = [turn EXCEPT ![n][e].stage = IF Lives(t.session) THEN "checked" ELSE "written"]
  /\ UNCHANGED <<written, row, session, lease, node, lane, page, ended, left, ghosts>>

SettleUnlocked(n, e) ==
  LET t == turn[n][e] IN
  /\ Runs(n)
  /\ t.stage = "checked"
  /\ IF IsPending(e) THEN Changed(n, e, t) ELSE UNCHANGED <<row, trespass>>
  /\ turn' = [turn EXCEPT ![n][e] = [@ EXCEPT !.stage = "written", !.isWritten = IsPending(e)]]
  /\ UNCHANGED <<written, session, lease, node, lane, page, ended, left, calls, excuses>>

\* Lanes.ended: the next may come. What could not be written is read again.
Ended(n, e) ==
  LET t == turn[n][e] IN
  /\ Runs(n)
  /\ t.stage = "written"
  /\ turn' = [turn EXCEPT ![n][e] = NoTurn]
  /\ IF t.isLive /\ ~t.isWritten
       THEN Forget(n, e)
       ELSE /\ lane' = IF t.isLive /\ t.to = "RETRY"
                          THEN [lane EXCEPT ![n][e] = t.tries + 1] ELSE lane
            /\ ended' = IF t.isLive \/ (t.isWritten /\ t.to \in Final)
                          THEN [ended EXCEPT ![n] = @ \cup {e}] ELSE ended
  /\ UNCHANGED <<written, row, session, lease, node, page, left, ghosts>>

-----------------------------------------------------------------------------
\* OrderedRelay.close and leave, and what befalls nodes.

Close(n) ==
  /\ node[n].state = "up"
  /\ Fault("close")
  /\ node' = [node EXCEPT ![n].state = "closing"]
  /\ page' = [page EXCEPT ![n] = NoPage]
  /\ lane' = [lane EXCEPT ![n] = [e \in Events |-> -1]]
  /\ UNCHANGED <<written, row, session, lease, turn, ended, ghosts>>

\* LeaseTable.leave. A listener that outlives close is as good as a node that stands still.
Leave(n) ==
  LET s == node[n].session IN
  /\ node[n].state = "closing"
  /\ \A e \in Events : turn[n][e] = NoTurn
  /\ session' = IF Lives(s) THEN [session EXCEPT ![s].is = "ended"] ELSE session
  /\ lease' = [p \in Parts |->
                IF s # None /\ lease[p].by = s THEN [lease[p] EXCEPT !.by = None] ELSE lease[p]]
  /\ node' = [node EXCEPT ![n] = [Start EXCEPT !.state = "down"]]
  /\ ended' = [ended EXCEPT ![n] = {}]
  /\ UNCHANGED <<written, row, lane, turn, page, left, ghosts>>

HasBegun(t) == t.stage \in {"begun", "finished", "checked"}

\* A node that has nothing has nothing to lose.
HasSomething(n) == node[n].session # None /\ HeldBy(node[n].session) # {}

Crash(n) ==
  /\ node[n].state # "down"
  /\ HasSomething(n)
  /\ Fault("crash")
  /\ excuses' = [e \in Events |-> excuses[e] + IF HasBegun(turn[n][e]) THEN 1 ELSE 0]
  /\ node' = [node EXCEPT ![n] = [Start EXCEPT !.state = "down"]]
  /\ lane' = [lane EXCEPT ![n] = [e \in Events |-> -1]]
  /\ turn' = [turn EXCEPT ![n] = [e \in Events |-> NoTurn]]
  /\ page' = [page EXCEPT ![n] = NoPage]
  /\ ended' = [ended EXCEPT ![n] = {}]
  /\ UNCHANGED <<written, row, session, lease, calls, trespass>>

Restart(n) ==
  /\ node[n].state = "down"
  /\ node' = [node EXCEPT ![n].state = "up"]
  /\ UNCHANGED <<written, row, session, lease, memory, left, ghosts>>

\* SIGSTOP, a garbage collection, a suspended machine; or no way to the database.
Pause(n) ==
  /\ node[n].state = "up"
  /\ HasSomething(n)
  /\ Fault("pause")
  /\ node' = [node EXCEPT ![n].state = "paused"]
  /\ UNCHANGED <<written, row, session, lease, memory, ghosts>>

\* What lasts no longer than others wait is but a slow step.
Resume(n) ==
  /\ node[n].state = "paused"
  /\ session[node[n].session].age >= Lease
  /\ node' = [node EXCEPT ![n].state = "up"]
  /\ UNCHANGED <<written, row, session, lease, memory, left, ghosts>>

\* A node that runs renews in time.
IsUrgent(n) ==
  /\ Runs(n)
  /\ Lives(node[n].session)
  /\ session[node[n].session].age \in {Lease - 1, Lease}

Tick ==
  /\ \A n \in Nodes : ~IsUrgent(n)
  /\ session' = [s \in Sessions |->
       IF session[s].is = "unused" \/ session[s].age > Lease
         THEN session[s] ELSE [session[s] EXCEPT !.age = @ + 1]]
  /\ excuses' = [e \in Events |->
       excuses[e] + Cardinality(
         {n \in Nodes : /\ node[n].state = "paused"
                        /\ HasBegun(turn[n][e])
                        /\ session[turn[n][e].session].age = Lease})]
  /\ UNCHANGED <<written, row, lease, node, memory, left, calls, trespass>>

-----------------------------------------------------------------------------
Next ==
  \/ Tick
  \/ \E e \in Events : Write(e)
  \/ \E n \in Nodes : \/ Join(n) \/ Renew(n) \/ Lose(n) \/ Read(n) \/ TakeIn(n)
                      \/ Close(n) \/ Leave(n) \/ Crash(n) \/ Restart(n) \/ Pause(n) \/ Resume(n)
  \/ \E n \in Nodes, s \in Sessions : End(n, s)
  \/ \E n \in Nodes, p \in Parts : \/ Acquire(n, p) \/ AcquireAnswerLost(n, p) \/ OwnHeld(n, p)
                                   \/ Disown(n, p) \/ Release(n, p)
  \/ \E n \in Nodes, e \in Events :
       \/ HandOver(n, e) \/ Begin(n, e) \/ GiveUp(n, e) \/ Succeed(n, e) \/ Fail(n, e)
       \/ Settle(n, e) \/ CheckFence(n, e) \/ SettleUnlocked(n, e) \/ Ended(n, e)

Spec == Init /\ [][Next]_vars

\* Whoever runs goes on, and whoever is down or stands still comes back.
Fairness ==
  /\ WF_vars(Tick)
  /\ \A n \in Nodes : /\ WF_vars(Join(n)) /\ WF_vars(Renew(n)) /\ WF_vars(Lose(n))
                      /\ WF_vars(Read(n)) /\ WF_vars(TakeIn(n)) /\ WF_vars(Leave(n))
                      /\ WF_vars(Restart(n)) /\ WF_vars(Resume(n))
                      /\ \A s \in Sessions : WF_vars(End(n, s))
                      /\ \A p \in Parts : /\ SF_vars(Acquire(n, p)) /\ WF_vars(OwnHeld(n, p))
                                          /\ WF_vars(Disown(n, p)) /\ WF_vars(Release(n, p))
  /\ \A n \in Nodes, e \in Events :
       /\ SF_vars(HandOver(n, e)) /\ SF_vars(Begin(n, e)) /\ WF_vars(GiveUp(n, e))
       /\ WF_vars(Succeed(n, e) \/ Fail(n, e)) /\ WF_vars(Settle(n, e)) /\ WF_vars(Ended(n, e))

FairSpec == Spec /\ Fairness

Symmetry == Permutations(Nodes)

-----------------------------------------------------------------------------
\* What is promised.

OnlyCommittedIsDelivered == \A e \in Events : calls[e] > 0 => e \in written

DoneMeansDelivered == \A e \in Events : row[e].status = "DONE" => calls[e] > 0

\* Once a listener is called, whatever came before in the key has ended; even if a zombie calls it.
InOrder ==
  \A n \in Nodes, e, f \in Events :
    f < e /\ SameKey(e, f) /\ HasBegun(turn[n][e]) => row[f].status \in Final

\* Of those who may still write.
OneAtATime ==
  \A n, m \in Nodes, e, f \in Events :
    /\ SameKey(e, f) /\ <<n, e>> # <<m, f>>
    /\ turn[n][e].stage = "begun" /\ turn[m][f].stage = "begun"
    => ~Lives(turn[n][e].session) \/ ~Lives(turn[m][f].session)

\* Who believes to be the owner, and may still begin something, is.
OneOwner ==
  \A n \in Nodes : \A p \in node[n].owned :
    IsAlive(n, node[n].session) => lease[p].by = node[n].session

\* A consumer that has heard of an epoch hears of no earlier one, but from zombies.
EpochsGrow ==
  \A n \in Nodes, e \in Events :
    turn[n][e].stage # "none" /\ Lives(turn[n][e].session)
      => turn[n][e].epoch = lease[PartOf(e)].epoch

RepeatsOnlyAfterFailure == \A e \in Events : calls[e] <= 1 + excuses[e]

ZombieChangesNothing == ~trespass

FinalStays == [][\A e \in Events : row[e].status \in Final => row'[e] = row[e]]_vars

EventuallyEnds == \A e \in Events : e \in written ~> row[e].status \in Final

-----------------------------------------------------------------------------
\* What must have been seen, or the above says nothing.

ASSUME \A i \in 1..6 : TLCSet(i, FALSE)
Saw(i, what, is) == IF is /\ ~TLCGet(i) THEN PrintT(what) /\ TLCSet(i, TRUE) ELSE TRUE
NobodyFailed == left.crash = Crashes /\ left.pause = Pauses

Seen ==
  /\ Saw(1, "all delivered", \A e \in Events : row[e].status = "DONE")
  /\ Saw(2, "gone on behind a dead event", \E e, f \in Events :
       f < e /\ SameKey(e, f) /\ row[f].status = "DEAD" /\ row[e].status = "DONE")
  /\ Saw(3, "handed over", NobodyFailed /\ \E n \in Nodes, e \in Events :
       turn[n][e].stage = "begun" /\ turn[n][e].epoch > 1)
  /\ Saw(4, "taken over", \E n \in Nodes, e \in Events :
       turn[n][e].stage = "begun" /\ turn[n][e].epoch > 1 /\ excuses[e] > 0)
  /\ Saw(5, "delivered twice", \E e \in Events : calls[e] > 1)
  /\ Saw(6, "zombie refused", \E n, m \in Nodes, e \in Events :
       /\ turn[n][e].stage = "written" /\ ~turn[n][e].isWritten /\ turn[n][e].to = "DONE"
       /\ n # m /\ turn[m][e].stage = "begun")
=============================================================================
