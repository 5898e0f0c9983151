------------------------------- MODULE Cursor -------------------------------
(***************************************************************************)
(* How the reader of an ordered relay goes on along the numbers of events  *)
(* without passing over what is numbered and not committed yet: Scanner,   *)
(* Frontier and OrderedReads, for one node that doesn't fail.              *)
(*                                                                         *)
(* A number is taken when an event is inserted, and is seen when its       *)
(* transaction commits. In between the database tells of it, but for a     *)
(* moment at the beginning in which it doesn't. Transactions of one key    *)
(* take turns, by a lock that they take before their numbers.              *)
(*                                                                         *)
(* Left out: time. That a moment is over stands for the fact that whatever *)
(* was hidden at its beginning shows or has ended. So are failures (see    *)
(* Partitions), room in memory, and the sweep, which would find in the end *)
(* what was passed over: nothing here counts on it.                        *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Events,      \* numbers, each with a transaction of its own
  Keys,        \* how many keys; an event's is its number modulo this
  Limit,       \* of the rows of a page
  Snapshots,   \* PostgreSQL; FALSE: MySQL, MariaDB and H2
  \* Mistakes; all of them FALSE is what the code does.
  PassOpen,        \* reading goes on behind what is open
  KeepPage,        \* a page that began too high is used
  OpenFirst,       \* what is open is read before what is committed
  NoMoment         \* what was passed is certain at once

VARIABLES
  tx,           \* of each event: unwritten, hidden, open, committed, rolledBack
  seq,          \* the number of each event; 0 before it is taken
  done,         \* the events that were delivered and whose status is written
  lane,         \* the events that wait in memory
  page,         \* what was read and is not yet taken in
  ended,        \* Lanes.endedDuringRead
  \* Frontier
  confirmed, again, belowOpen, highest,
  unconfirmed,  \* how far reading had come, and what was hidden then
  places        \* of each transaction that is known to be open: where to read again; -1 for none

frontier == <<confirmed, again, belowOpen, highest, unconfirmed, places>>
vars == <<tx, seq, done, lane, page, ended, frontier>>

Nowhere == Cardinality(Events) + 1
KeyOf(e) == e % Keys
SameKey(e, f) == KeyOf(e) = KeyOf(f)
Hidden == {e \in Events : tx[e] = "hidden"}
Open == {e \in Events : tx[e] = "open"}
Unended == Hidden \cup Open
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Range(list) == {list[i] : i \in 1..Len(list)}
Start == Min({confirmed, again, belowOpen})

NoPage == [step |-> "none", start |-> 0, rows |-> {}, open |-> {}, sure |-> 0, hidden |-> {},
           isOld |-> FALSE]

Init ==
  /\ tx = [e \in Events |-> "unwritten"]
  /\ seq = [e \in Events |-> 0]
  /\ done = {}
  /\ lane = {}
  /\ page = NoPage
  /\ ended = {}
  /\ confirmed = 0
  /\ again = Nowhere
  /\ belowOpen = Nowhere
  /\ highest = 0
  /\ unconfirmed = <<>>
  /\ places = [e \in Events |-> -1]

-----------------------------------------------------------------------------
\* Writers.

\* The transaction has the lock of its key, and takes a number. Those of a key are alike, so that
\* they may as well come in the order of their names.
Take(e) ==
  /\ tx[e] = "unwritten"
  /\ \A f \in Unended : ~SameKey(e, f)
  /\ \A f \in Events : f < e /\ SameKey(e, f) => tx[f] # "unwritten"
  /\ tx' = [tx EXCEPT ![e] = "hidden"]
  /\ seq' = [seq EXCEPT ![e] = 1 + Max({seq[f] : f \in Events})]
  /\ UNCHANGED <<done, lane, page, ended, frontier>>

\* From now on the database tells of it: the row, or the transaction.
Show(e) ==
  /\ tx[e] = "hidden"
  /\ tx' = [tx EXCEPT ![e] = "open"]
  /\ UNCHANGED <<seq, done, lane, page, ended, frontier>>

Commit(e) ==
  /\ e \in Unended
  /\ tx' = [tx EXCEPT ![e] = "committed"]
  /\ UNCHANGED <<seq, done, lane, page, ended, frontier>>

Rollback(e) ==
  /\ e \in Unended
  /\ tx' = [tx EXCEPT ![e] = "rolledBack"]
  /\ UNCHANGED <<seq, done, lane, page, ended, frontier>>

-----------------------------------------------------------------------------
\* OrderedReads: a page is one view of what is committed and pending, and tells what is open.

Visible(after) == {e \in Events : tx[e] = "committed" /\ e \notin done /\ seq[e] > after}
FirstOf(S) == {e \in S : Cardinality({f \in S : seq[f] <= seq[e]}) <= Limit}
LastOf(rows, start) == IF rows = {} THEN start ELSE Max({seq[e] : e \in rows})
IsFull(rows) == Cardinality(rows) >= Limit

\* How many places were passed long enough ago: what was hidden then shows or has ended.
Sure ==
  LET passed == {i \in 1..Len(unconfirmed) :
                   \A j \in 1..i : NoMoment \/ unconfirmed[j].hidden \cap Hidden = {}}
  IN Cardinality(passed)

\* All of a page was written long ago only if nothing below is still hidden.
MayBeOld(rows) == \A e \in Hidden : seq[e] > LastOf(rows, 0)

ReadRows ==
  /\ page.step = IF OpenFirst /\ ~Snapshots THEN "opened" ELSE "none"
  /\ LET rows == FirstOf(Visible(Start)) IN
     \E isOld \in {FALSE, MayBeOld(rows)} :
       page' = [page EXCEPT !.step = IF Snapshots \/ OpenFirst THEN "read" ELSE "rows",
                            !.start = Start, !.rows = rows, !.sure = Sure, !.hidden = Hidden,
                            !.isOld = isOld,
                            !.open = IF Snapshots /\ ~PassOpen THEN Open ELSE @]
  /\ ended' = {}
  /\ UNCHANGED <<tx, seq, done, lane, frontier>>

\* The same range as it is, committed or not, up to whatever was read before.
ReadOpen ==
  /\ ~Snapshots
  /\ page.step = IF OpenFirst THEN "none" ELSE "rows"
  /\ LET last == LastOf(page.rows, Start)
         upTo == IF IsFull(page.rows) THEN last ELSE Max({last, highest})
         there == {e \in Events : /\ e \in Open \cup Visible(Start) /\ e \notin page.rows
                                  /\ seq[e] > Start /\ (seq[e] <= upTo \/ OpenFirst)}
     IN page' = [page EXCEPT !.step = IF OpenFirst THEN "opened" ELSE "read",
                             !.open = IF PassOpen THEN {} ELSE there]
  /\ UNCHANGED <<tx, seq, done, lane, ended, frontier>>

-----------------------------------------------------------------------------
\* Frontier.accept and Scanner.takeIn.

\* Frontier.follow: where transactions began that have ended since.
Gone == {e \in Events : places[e] >= 0 /\ e \notin page.open}
Missed == IF Gone = {} THEN Nowhere ELSE Min({places[e] : e \in Gone})
Followed ==
  [e \in Events |-> IF e \in Gone THEN -1
                    ELSE IF Snapshots /\ e \in page.open /\ places[e] < 0 THEN page.start
                    ELSE places[e]]

\* An event of it may have an earlier one where the page didn't look.
Reject ==
  /\ page.step = "read"
  /\ Snapshots
  /\ Missed < page.start
  /\ ~KeepPage
  /\ places' = Followed
  /\ again' = Min({again, Missed})
  /\ page' = NoPage
  /\ UNCHANGED <<tx, seq, done, lane, ended, confirmed, belowOpen, highest, unconfirmed>>

Accept ==
  LET last == LastOf(page.rows, page.start)
      isLast == ~IsFull(page.rows)
      sure == SubSeq(unconfirmed, 1, page.sure)
      certain == {sure[i].seq : i \in {j \in 1..Len(sure) : isLast \/ sure[j].seq <= last}}
      rest == SubSeq(unconfirmed, page.sure + 1, Len(unconfirmed))
      passed == [seq |-> last, hidden |-> page.hidden]
      behindOpen(e) == \E f \in page.open : ~Snapshots /\ SameKey(e, f) /\ seq[f] < seq[e]
  IN
  /\ page.step = "read"
  /\ ~Snapshots \/ Missed >= page.start \/ KeepPage
  /\ places' = Followed
  /\ again' = IF KeepPage /\ Missed < page.start THEN Missed ELSE Nowhere
  /\ belowOpen' = IF Snapshots \/ page.open = {} THEN Nowhere
                  ELSE Min({seq[e] - 1 : e \in page.open})
  /\ highest' = Max({highest, last})
  /\ confirmed' = Max({confirmed} \cup certain \cup IF page.isOld THEN {last} ELSE {})
  /\ unconfirmed' = IF page.isOld \/ last <= confirmed' \/ passed \in Range(rest)
                      THEN rest ELSE Append(rest, passed)
  /\ lane' = lane \cup {e \in page.rows : e \notin ended /\ ~behindOpen(e)}
  /\ page' = NoPage
  /\ UNCHANGED <<tx, seq, done, ended>>

\* One of a key at a time, the first one in memory; see Partitions.
Deliver(e) ==
  /\ e \in lane
  /\ \A f \in lane : SameKey(e, f) => seq[e] <= seq[f]
  /\ done' = done \cup {e}
  /\ lane' = lane \ {e}
  /\ ended' = ended \cup {e}
  /\ UNCHANGED <<tx, seq, page, frontier>>

-----------------------------------------------------------------------------
Next ==
  \/ ReadRows \/ ReadOpen \/ Reject \/ Accept
  \/ \E e \in Events : Take(e) \/ Show(e) \/ Commit(e) \/ Rollback(e) \/ Deliver(e)

Spec == Init /\ [][Next]_vars

\* Writers may take any time; the reader and the dispatcher go on.
FairSpec ==
  /\ Spec
  /\ WF_vars(ReadRows) /\ WF_vars(ReadOpen) /\ WF_vars(Reject) /\ WF_vars(Accept)
  /\ \A e \in Events : WF_vars(Deliver(e))

-----------------------------------------------------------------------------
\* What is promised.

OnlyCommittedIsDelivered == \A e \in done \cup lane : tx[e] = "committed"

InOrder ==
  \A e \in done, f \in Events :
    SameKey(e, f) /\ seq[f] < seq[e] /\ tx[f] = "committed" => f \in done

NothingComesTwice == lane \cap done = {}

EventuallyEnds == \A e \in Events : tx[e] = "committed" ~> e \in done

-----------------------------------------------------------------------------
\* What must have been seen, or the above says nothing.

ASSUME \A i \in 1..4 : TLCSet(i, FALSE)
Saw(i, what, is) == IF is /\ ~TLCGet(i) THEN PrintT(what) /\ TLCSet(i, TRUE) ELSE TRUE

Seen ==
  /\ Saw(1, "all delivered", done = Events)
  /\ Saw(2, "committed late", \E e, f \in Events :
       tx[e] = "committed" /\ e \notin done /\ f \in done /\ seq[e] < seq[f])
  /\ Saw(3, "confirmed", confirmed > 0)
  /\ Saw(4, "looked below", Start < confirmed)
=============================================================================
