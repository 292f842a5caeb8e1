------------------------------- MODULE Segment -------------------------------
(***************************************************************************)
(* Segment mode: how processes and servers of Meituan's Leaf allocate      *)
(* ranges of numbers from one row of leaf_alloc so that no number is       *)
(* issued twice. README.md in this folder explains the words, the bounds   *)
(* and what is left out.                                                   *)
(*                                                                         *)
(* A statement that was sent stays in `statements` and may be executed at  *)
(* any later moment, or never, and an allocation any number of times. That *)
(* covers requests and answers that are lost, late or executed twice.      *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Processes,    \* Processes that use this library. One that ends is not used again.
    Conditional,  \* Those of them whose database does not answer with the new value: they read the row first
    LeafServers,  \* Servers of Meituan's Leaf
    Sizes,        \* Sizes of segments that are asked for
    Floors,       \* Floors that an allocation may have for other reasons than the regression guard (periods)
    LastNumber,   \* max_id is at most this
    MaxRequests,  \* Allocations that a process sends
    Returns,      \* How often the database may go back to an earlier state
    Broken        \* The name of the rule that is broken on purpose, or "nothing"

VARIABLES
    row,          \* max_id, as committed
    lock,         \* The Leaf server whose transaction holds the row, with its own max_id
    statements,   \* Statements that were sent and that may still be executed
    processes,    \* processes[p]: a process
    servers,      \* servers[l]: the segment of a Leaf server
    issued,       \* issued[number]: who issued it
    saved,        \* The max_id that the database goes back to, if it does
    age,          \* How often the database has gone back
    spoiled       \* TRUE: after the database went back, a segment that was allocated before was given back

vars == <<row, lock, statements, processes, servers, issued, saved, age, spoiled>>

Kept(rule) == Broken # rule

Max(a, b) == IF a > b THEN a ELSE b

(* No transaction, and no request that is waited for.                      *)
Free == [by |-> {}, value |-> 0]
None == 0

-----------------------------------------------------------------------------

Init ==
    /\ row = 1
    /\ lock = Free
    /\ statements = {}
    (* segments: those in the buffer, the current one first. seen: the     *)
    (* largest end of a segment so far. floor: where the next allocation   *)
    (* has to start at least. waiting: the request whose answer counts.    *)
    /\ processes = [p \in Processes |->
            [running |-> TRUE, segments |-> <<>>, seen |-> 0, floor |-> 0, requests |-> 0, waiting |-> None,
             segment |-> 0]]
    /\ servers = [l \in LeafServers |-> [from |-> 0, to |-> 0, segment |-> 0, age |-> 0]]
    /\ issued = [n \in 1 .. LastNumber |-> {}]
    /\ saved = 1
    /\ age = 0
    /\ spoiled = FALSE

(* The half-open block [from, to). `age` is for the invariants.            *)
Block(from, to, number) == [from |-> from, to |-> to, number |-> number, age |-> age]

Arrived(process, from, to) ==
    [process EXCEPT !.segments = Append(@, Block(from, to, process.segment + 1)),
                    !.segment = @ + 1, !.seen = Max(@, to), !.waiting = None]

-----------------------------------------------------------------------------
(* Allocation.                                                             *)

(* One fetch at a time: a request that is sent while another is waited for *)
(* gives the other one up, whose answer is ignored then.                   *)
MayRequest(p) ==
    /\ processes[p].running
    /\ processes[p].requests < MaxRequests
    /\ Len(processes[p].segments) < 2

Requested(p) == [processes[p] EXCEPT !.requests = @ + 1, !.waiting = processes[p].requests + 1]

(* UPDATE leaf_alloc SET max_id = GREATEST(max_id, :floor) + :size         *)
Request(p) ==
    /\ p \notin Conditional
    /\ MayRequest(p)
    /\ \E size \in Sizes, floor \in Floors \cup {0} :
        statements' = statements \cup {[kind |-> "allocate", by |-> p, request |-> processes[p].requests + 1,
                                        size |-> size, floor |-> Max(floor, processes[p].floor)]}
    /\ processes' = [processes EXCEPT ![p] = Requested(p)]
    /\ UNCHANGED <<row, lock, servers, issued, saved, age, spoiled>>

(* SELECT max_id, then UPDATE ... SET max_id = :to WHERE max_id = :read    *)
ReadAndRequest(p) ==
    /\ p \in Conditional
    /\ MayRequest(p)
    /\ \E size \in Sizes, floor \in Floors \cup {0} :
        LET from == Max(row, Max(floor, processes[p].floor))
        IN  /\ from + size <= LastNumber
            /\ statements' = statements \cup {[kind |-> "update", by |-> p, request |-> processes[p].requests + 1,
                                               read |-> row, from |-> from, to |-> from + size]}
            \* Broken: an answer that is lost is taken for a yes
            /\ processes' = [processes EXCEPT ![p] =
                    IF Kept("unknown outcome is not a yes") THEN Requested(p)
                    ELSE Arrived(Requested(p), from, from + size)]
    /\ UNCHANGED <<row, lock, servers, issued, saved, age, spoiled>>

(* The regression guard: what lies below the end of a segment that this    *)
(* process has had before is refused, and the next allocation starts above *)
(* it, which raises the row.                                               *)
Answered(p, from, to) ==
    IF from < processes[p].seen /\ Kept("regression guard")
    THEN processes' = [processes EXCEPT ![p].waiting = None, ![p].floor = processes[p].seen]
    ELSE processes' = [processes EXCEPT ![p] = Arrived(processes[p], from, to)]

AnsweredOrNot(statement, from, to) ==
    \/ UNCHANGED processes
    \/ /\ processes[statement.by].running
       /\ processes[statement.by].waiting = statement.request
       /\ Answered(statement.by, from, to)

(* The row lock of a Leaf server's transaction lets no other write pass.   *)
ExecuteAllocate(statement) ==
    LET from == Max(row, statement.floor)
        to == from + statement.size
    IN  /\ statement.kind = "allocate"
        /\ lock = Free
        /\ to <= LastNumber
        /\ row' = to
        /\ AnsweredOrNot(statement, from, to)
        /\ UNCHANGED <<lock, statements, servers, issued, saved, age, spoiled>>

ExecuteUpdate(statement) ==
    /\ statement.kind = "update"
    /\ lock = Free
    /\ row = statement.read
    /\ row' = statement.to
    /\ AnsweredOrNot(statement, statement.from, statement.to)
    /\ UNCHANGED <<lock, statements, servers, issued, saved, age, spoiled>>

-----------------------------------------------------------------------------
(* Issuing.                                                                *)

Issuance(who, number, ageOf) == [who |-> who, segment |-> number, age |-> ageOf]

(* The lower bound is included, the upper bound is not.                    *)
Issue(p) ==
    /\ processes[p].segments # <<>>
    /\ LET current == Head(processes[p].segments)
           end == IF Kept("upper bound excluded") THEN current.to ELSE current.to + 1
       IN  /\ current.from <= LastNumber
           /\ issued' = [issued EXCEPT ![current.from] = @ \cup {Issuance(p, current.number, current.age)}]
           /\ processes' = [processes EXCEPT ![p].segments =
                IF current.from + 1 >= end THEN Tail(@) ELSE [@ EXCEPT ![1].from = @ + 1]]
    /\ UNCHANGED <<row, lock, statements, servers, saved, age, spoiled>>

-----------------------------------------------------------------------------
(* Give-back.                                                              *)

(* The unused contiguous tail: the last segment, with the one before if    *)
(* that one ends where the last one begins.                                *)
TailOf(segments) ==
    LET last == segments[Len(segments)]
        first == IF Len(segments) = 2 /\ segments[1].to = last.from THEN segments[1] ELSE last
    IN  [first |-> first.from, end |-> last.to, age |-> first.age]

(* UPDATE leaf_alloc SET max_id = :first WHERE max_id = :end, once, after  *)
(* the key has stopped issuing and fetching.                               *)
GiveBack(p) ==
    /\ processes[p].running
    /\ processes[p].segments # <<>>
    /\ LET tail == TailOf(processes[p].segments)
       IN  statements' = statements \cup {[kind |-> "giveBack", by |-> p, first |-> tail.first, end |-> tail.end,
                                           age |-> tail.age]}
    /\ processes' = [processes EXCEPT ![p] =
            [@ EXCEPT !.running = FALSE, !.waiting = None,
                      !.segments = IF Kept("give-back after the last number") THEN <<>> ELSE @]]
    /\ UNCHANGED <<row, lock, servers, issued, saved, age, spoiled>>

(* Unlike an allocation it is executed at most once: it is never sent      *)
(* again, and a proxy that executes statements again is excluded.          *)
ExecuteGiveBack(statement) ==
    /\ statement.kind = "giveBack"
    /\ lock = Free
    /\ row = statement.end \/ ~Kept("give-back only if no process allocated since")
    /\ row' = statement.first
    /\ statements' = IF Kept("give-back at most once") THEN statements \ {statement} ELSE statements
    /\ spoiled' = (spoiled \/ statement.age # age)
    /\ UNCHANGED <<lock, processes, servers, issued, saved, age>>

(* Broken: a give-back whose answer is lost is taken for one that was not  *)
(* executed, and the process goes on with the numbers.                     *)
TakeBack(statement) ==
    /\ ~Kept("unknown outcome is not a no")
    /\ statement.kind = "giveBack"
    /\ ~processes[statement.by].running
    /\ processes' = [processes EXCEPT ![statement.by].running = TRUE, ![statement.by].segment = @ + 1,
            ![statement.by].segments = <<[Block(statement.first, statement.end, @) EXCEPT
                                            !.number = processes[statement.by].segment + 1, !.age = statement.age]>>]
    /\ UNCHANGED <<row, lock, statements, servers, issued, saved, age, spoiled>>

-----------------------------------------------------------------------------
(* A server of Meituan's Leaf: UPDATE leaf_alloc SET max_id = max_id +     *)
(* step, then SELECT max_id, in one transaction. It issues from            *)
(* max_id - step up to, but without, max_id.                               *)

LeafUpdate(l) ==
    /\ lock = Free
    /\ servers[l].from = servers[l].to
    /\ \E step \in Sizes :
        /\ row + step <= LastNumber
        /\ IF Kept("UPDATE and SELECT in one transaction")
           THEN lock' = [by |-> {l}, value |-> row + step, step |-> step] /\ UNCHANGED row
           ELSE lock' = Free /\ row' = row + step
        /\ servers' = [servers EXCEPT ![l] = [from |-> -step, to |-> 0, segment |-> @.segment, age |-> age]]
    /\ UNCHANGED <<statements, processes, issued, saved, age, spoiled>>

(* SELECT and COMMIT. Its own transaction's value, or, if the two are not  *)
(* one transaction, the one that the row has by now. Without an answer the *)
(* segment is lost.                                                        *)
LeafSelectAndCommit(l) ==
    LET step == -servers[l].from
        value == IF Kept("UPDATE and SELECT in one transaction") THEN lock.value ELSE row
    IN  /\ servers[l].from < 0
        /\ lock' = Free
        /\ row' = value
        /\ \E answered \in BOOLEAN :
            servers' = [servers EXCEPT ![l] =
                [from |-> IF answered THEN value - step ELSE value, to |-> value, segment |-> @.segment + 1,
                 age |-> age]]
        /\ UNCHANGED <<statements, processes, issued, saved, age, spoiled>>

LeafRollback(l) ==
    /\ servers[l].from < 0 /\ lock # Free
    /\ lock' = Free
    /\ servers' = [servers EXCEPT ![l] = [@ EXCEPT !.from = 0]]
    /\ UNCHANGED <<row, statements, processes, issued, saved, age, spoiled>>

LeafIssues(l) ==
    /\ 0 < servers[l].from /\ servers[l].from < servers[l].to
    /\ issued' = [issued EXCEPT ![servers[l].from] = @ \cup {Issuance(l, servers[l].segment, servers[l].age)}]
    /\ servers' = [servers EXCEPT ![l].from = @ + 1]
    /\ UNCHANGED <<row, lock, statements, processes, saved, age, spoiled>>

-----------------------------------------------------------------------------
(* The database goes back: to a backup, or by a failover to a replica that *)
(* lags behind.                                                            *)

Backup ==
    /\ age < Returns
    /\ saved' = row /\ saved' # saved
    /\ UNCHANGED <<row, lock, statements, processes, servers, issued, age, spoiled>>

GoBack ==
    /\ age < Returns
    /\ lock = Free
    /\ saved < row
    /\ row' = saved
    /\ age' = age + 1
    /\ UNCHANGED <<lock, statements, processes, servers, issued, saved, spoiled>>

-----------------------------------------------------------------------------

Next ==
    \/ \E p \in Processes : Request(p) \/ ReadAndRequest(p) \/ Issue(p) \/ GiveBack(p)
    \/ \E s \in statements : ExecuteAllocate(s) \/ ExecuteUpdate(s) \/ ExecuteGiveBack(s) \/ TakeBack(s)
    \/ \E l \in LeafServers : LeafUpdate(l) \/ LeafSelectAndCommit(l) \/ LeafRollback(l) \/ LeafIssues(l)
    \/ Backup \/ GoBack

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised.                                                       *)

(* A database that forgets cannot be made good: others may be given what   *)
(* it has forgotten. Excused is therefore a number of two segments of      *)
(* different processes, one allocated before it went back and one after;   *)
(* and, once a give-back from before has taken effect after, any: its      *)
(* condition holds by chance, and it gives back what others have.          *)
DatabaseHadForgotten(a, b) ==
    /\ a.who # b.who
    /\ a.age # b.age \/ spoiled

NoDuplicate ==
    \A n \in 1 .. LastNumber :
        \/ Cardinality(issued[n]) < 2
        \/ \A a, b \in issued[n] : a # b => DatabaseHadForgotten(a, b)

-----------------------------------------------------------------------------
(* What must happen in some behaviour, or the model would prove nothing:   *)
(* each of these is checked as an invariant and has to be violated.        *)

NeverRefused == \A p \in Processes : processes[p].floor = 0

NeverGivenBack == age = 0 => \A p \in Processes : processes[p].seen <= row

NeverIssuedByALeafServer == \A n \in 1 .. LastNumber : \A i \in issued[n] : i.who \notin LeafServers

NeverAnExcuse == \A n \in 1 .. LastNumber : Cardinality(issued[n]) < 2

-----------------------------------------------------------------------------
Symmetry == Permutations(Processes \ Conditional) \cup Permutations(LeafServers)
=============================================================================
