-------------------------------- MODULE Lease --------------------------------
(***************************************************************************)
(* The lease protocol of snowflake mode: how processes share worker IDs so *)
(* that no pair of worker ID and timestamp is ever issued twice.           *)
(*                                                                         *)
(* The protocol has seven rules: 1 claim, 2 renew, 3 release, 4 lost,      *)
(* 5 unknown outcome, 6 unclean death, 7 the store went back. Each action  *)
(* below names the rule that it follows. README.md in this folder explains *)
(* the words, the bounds and what is left out.                             *)
(*                                                                         *)
(* Three decisions keep the model small without hiding a duplicate:        *)
(*                                                                         *)
(*  - There are no clocks. Wherever a process reads its clock, it gets any *)
(*    time there is. That covers every clock that is wrong, jumps or       *)
(*    stands still, and a process that is paused for any length of time.   *)
(*  - A write that was sent stays in `writes` and may take effect at any   *)
(*    later moment, any number of times, or never. That covers requests    *)
(*    and answers that are lost, late or executed twice.                   *)
(*  - A lane that issues timestamp t issues all timestamps after its last  *)
(*    one up to t. A lane that skips some issues a subset of these, so it  *)
(*    cannot produce a duplicate that this one does not.                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Places,       \* Where processes run: a host with its state folder. One process at a time in each.
    Stores,       \* Stores of registers. Processes with different stores share nothing.
    Workers,      \* Worker IDs
    LeafNumbers,  \* Those worker IDs that deployed Leaf servers use, without any register
    LastTime,     \* Clocks show 0 .. LastTime
    Window,       \* The lease window
    MaxLanes,     \* Lanes that may begin in each place, over all processes that run there
    MaxVersion,   \* Versions of a register
    MaxWrites,    \* Writes that may travel at one time
    Files,        \* TRUE: processes have a state file
    Copies,       \* TRUE: a state file may be copied to another place
    Clones,       \* TRUE: one running process may be cloned, once
    Returns,      \* How often a store may go back to an earlier state
    Broken        \* The name of the rule that is broken on purpose, or "nothing"

\* Not combined: the copy of a process whose file is a copy, too, cannot be told from the original by its file.
ASSUME ~(Files /\ Clones)

VARIABLES
    registers,    \* registers[store][name]: the register of a worker ID
    writes,       \* Writes that were sent and that may still take effect
    runs,         \* runs[place]: the process that runs there
    files,        \* files[place]: its state file
    born,         \* born[place]: how many lanes have begun there
    issued,       \* Everything that was issued: who issued which timestamp with which worker ID
    saved,        \* saved[store]: the state that the store goes back to, if it does
    age,          \* How often a store has gone back
    clone,        \* Which claim was cloned, and up to which timestamp both copies may use it
    sealed        \* Claims that were sealed by rule 7, each with the place

vars == <<registers, writes, runs, files, born, issued, saved, age, clone, sealed>>

(* Worker IDs that our processes use.                                      *)
OurWorkers == Workers \ LeafNumbers

Kept(rule) == Broken # rule

Times == 0 .. LastTime

Timestamps == 0 .. LastTime + Window

Max(a, b) == IF a > b THEN a ELSE b

Greatest(numbers) == CHOOSE n \in numbers : \A m \in numbers : m <= n

-----------------------------------------------------------------------------
(* The parts of the state.                                                 *)

(* A lane is identified by its place and a count. A claim is identified by *)
(* the lane that made it: its `owner`. A lane that was resumed from a      *)
(* state file has an identity of its own, and the owner of its claim.      *)
Nobody == <<>>

(* One register per worker ID. If that rule is broken, every process keeps *)
(* its own register for the worker ID that it uses.                        *)
Name(p, w) == IF Kept("one register per worker ID") THEN w ELSE <<w, p>>

Names == {Name(p, w) : p \in Places, w \in Workers}

(* `after`: the owner that the register named when it was claimed.         *)
(* `version` is the one that the store counts. `mark` stands for what      *)
(* makes the content of each write unlike that of any other write.         *)
Missing == [owner |-> Nobody, from |-> -1, horizon |-> -1, after |-> Nobody, version |-> 0, mark |-> <<>>]

(* mode: "held", or "lost": another owner has the register, and what is    *)
(* left up to the confirmed horizon is still used. `horizon`, `version`,   *)
(* `from` and `after` are those last seen in the register. `last`: all     *)
(* timestamps up to there are used up. `fresh`: resumed, and no exchange   *)
(* with the store yet. `sent`, `parent`, `common`: to recognise the marks  *)
(* of its own writes, and of those sent before it was cloned. `age`: the   *)
(* age of the store at the last exchange about this register. `heir`: the  *)
(* owner that the state file named when the lane began.                    *)
NoLane == [mode |-> "none", id |-> Nobody, worker |-> Nobody, owner |-> Nobody, from |-> -1,
           horizon |-> -1, after |-> Nobody, version |-> 0, last |-> -1, fresh |-> FALSE, sent |-> 0, parent |-> Nobody,
           common |-> 0, age |-> 0, heir |-> Nobody]

(* `first`: how many lanes had begun in this place before this process. It *)
(* matters only if there are state files or if the store goes back.        *)
(* `claiming`: the worker ID of a claim whose outcome is unknown, if any.  *)
Started(store, p) ==
    [store |-> store, lane |-> NoLane, claiming |-> {}, first |-> IF Files \/ Returns > 0 THEN born[p] ELSE 0]

NoFile == [owner |-> Nobody]

-----------------------------------------------------------------------------

Init ==
    /\ registers = [s \in Stores |-> [n \in Names |-> Missing]]
    /\ writes = {}
    /\ born = [p \in Places |-> 0]
    /\ runs \in [Places -> {[store |-> s, lane |-> NoLane, claiming |-> {}, first |-> 0] : s \in Stores}]
    /\ files = [p \in Places |-> NoFile]
    /\ issued = [s \in Stores |-> [w \in Workers |-> [t \in Timestamps |-> {}]]]
    /\ saved = registers
    /\ age = 0
    /\ clone = [owner |-> Nobody, bound |-> -1]
    /\ sealed = {}

Lane(p) == runs[p].lane

Register(p, w) == registers[runs[p].store][Name(p, w)]

SetLane(p, lane) == runs' = [runs EXCEPT ![p].lane = lane]

(* The state file of this place speaks of this claim. A process that has   *)
(* such a file passes no timestamp that it does not cover.                 *)
FileSpeaksOf(p, owner) == files[p].owner = owner

Send(write) ==
    /\ Cardinality(writes) < MaxWrites
    /\ writes' = writes \cup {write}

(* Only if processes are cloned do marks matter; elsewhere the owner alone *)
(* tells whose write it was.                                               *)
Mark(lane, count) == IF Clones /\ Kept("unlike contents") THEN <<lane, count>> ELSE <<>>

IsOwnMark(lane, mark) ==
    \/ mark = <<>>
    \/ mark[1] = lane.id
    \/ mark[1] = lane.parent /\ mark[2] <= lane.common

-----------------------------------------------------------------------------
(* Rule 1: claim.                                                          *)

(* Everything that this process has issued with a worker ID. The model     *)
(* derives it from `issued`; the process keeps one number.                 *)
IssuedByThisProcess(p, w) ==
    {t \in Timestamps : \E i \in issued[runs[p].store][w][t] : i.run = <<p, runs[p].first>>}

(* Rule 7, its end: a worker ID that was this process's own before is      *)
(* claimed only above what this process has issued with it, and above what *)
(* the state file speaks of. The file's horizon counts and not only its    *)
(* reservation: if the file cannot be replaced, the next process may still *)
(* resume the former claim and use it up to there.                         *)
OwnFloor(p, w) ==
    Greatest({-1}
        \cup (IF Kept("floor of own former worker ID") THEN IssuedByThisProcess(p, w) ELSE {})
        \cup (IF files[p] = NoFile THEN {}
              ELSE IF files[p].store # runs[p].store \/ files[p].worker # w THEN {}
              ELSE IF ~Kept("floor of the state file") THEN {}
              ELSE IF Kept("floor is the horizon of the state file") THEN {files[p].horizon}
              ELSE {files[p].reserved}))

Claimable(register, now) ==
    register.version = 0 \/ register.owner = Nobody \/ register.horizon < now

(* Reads the register and sends the claim. A register that does not exist  *)
(* is claimed above the claimant's own time, any other above its horizon.  *)
Claim(p, w) ==
    LET register == Register(p, w)
        id == <<p, born[p] + 1>>
    IN  /\ Lane(p).mode # "held"
        /\ born[p] < MaxLanes
        /\ Kept("numbers of deployed Leaf servers") => w \notin LeafNumbers
        /\ \E now \in Times :
            LET from == Max(OwnFloor(p, w), IF register.version = 0 THEN now ELSE register.horizon)
            IN  /\ Claimable(register, now)
                /\ Send([store |-> runs[p].store, name |-> Name(p, w), version |-> register.version,
                         owner |-> register.owner, by |-> id,
                         new |-> [owner |-> id, from |-> from, horizon |-> Max(now, from) + Window,
                                  after |-> register.owner, mark |-> Mark(id, 0)]])
        /\ runs' = [runs EXCEPT ![p].claiming = {w}]
        /\ born' = [born EXCEPT ![p] = born[p] + 1]
        /\ UNCHANGED <<registers, files, issued, saved, age, clone, sealed>>

(* The lane that begins with a claim that succeeded. It ends the one       *)
(* before: what was left of a lost claim is not used any more.             *)
Claimed(p, w, register) ==
    [NoLane EXCEPT
        !.mode = "held", !.id = register.owner, !.worker = w, !.owner = register.owner, !.from = register.from,
        !.horizon = register.horizon, !.after = register.after, !.version = register.version, !.age = age,
        \* The floor is taken once more: what was left of a lost claim was used until now.
        !.last = IF Kept("floor")
                 THEN Max(register.from, IF Kept("floor when the claim begins") THEN OwnFloor(p, w) ELSE -1)
                 ELSE register.from - 1,
        !.heir = IF Returns > 0 /\ files[p] # NoFile /\ files[p].store = runs[p].store THEN files[p].owner ELSE Nobody]

BeginClaimed(p, w, register) ==
    runs' = [runs EXCEPT ![p].lane = Claimed(p, w, register), ![p].claiming = {}]

(* Rule 5, for a claim: its answer was lost, and a read shows that it took *)
(* effect. (A read that does not show it changes nothing.)                 *)
FindClaimed(p) ==
    \E w \in runs[p].claiming :
        /\ Register(p, w).owner = <<p, born[p]>>
        /\ BeginClaimed(p, w, Register(p, w))
        /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* Rule 2: renew.                                                          *)

Renew(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode = "held" /\ ~lane.fresh
        /\ lane.version < MaxVersion
        /\ \E now \in Times :
            LET ahead == Max(now, lane.last) + Window
                horizon == IF Kept("a horizon never goes down") THEN Max(lane.horizon, ahead) ELSE ahead
            IN  /\ Send([store |-> runs[p].store, name |-> Name(p, lane.worker), version |-> lane.version,
                         owner |-> lane.owner, by |-> lane.id,
                         new |-> [owner |-> lane.owner, horizon |-> horizon, after |-> lane.after,
                                  from |-> IF Kept("renewals keep from") THEN lane.from ELSE lane.horizon,
                                  mark |-> Mark(lane.id, lane.sent + 1)]])
                /\ SetLane(p, [lane EXCEPT !.sent = IF Clones THEN lane.sent + 1 ELSE 0,
                                           !.horizon = IF Kept("horizon only after confirmation") THEN lane.horizon
                                                       ELSE horizon])
        /\ UNCHANGED <<registers, files, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* Rule 3: release. The process has stopped and sends its last write; the  *)
(* next action in this place is that of a new process. The state file must *)
(* not speak of the claim any more, or the next process would resume it.   *)

Release(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode = "held" /\ ~lane.fresh
        /\ lane.version < MaxVersion
        /\ Send([store |-> runs[p].store, name |-> Name(p, lane.worker), version |-> lane.version,
                 owner |-> lane.owner, by |-> Nobody,
                 new |-> [owner |-> Nobody, from |-> lane.from, horizon |-> lane.last, after |-> lane.after,
                         mark |-> <<>>]])
        /\ IF Kept("release after sealing") THEN runs' = [runs EXCEPT ![p] = Started(runs[p].store, p)]
           ELSE UNCHANGED runs
        /\ IF FileSpeaksOf(p, lane.owner) /\ Kept("release erases the state file")
           THEN files' = [files EXCEPT ![p] = NoFile]
           ELSE UNCHANGED files
        /\ UNCHANGED <<registers, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* The store: compare-and-set, conditional on version and owner.           *)

Accepts(register, write) ==
    IF Kept("compare-and-set")
    THEN /\ register.version = write.version
         /\ Kept("owner in compare-and-set") => register.owner = write.owner
    ELSE register.version < MaxVersion

(* Writes that can still take effect once a register has this version: a   *)
(* version that has passed returns only if the store does. To leave the    *)
(* others out merges states that differ in nothing.                        *)
StillPossible(store, name, version) ==
    {w \in writes : \/ w.store # store \/ w.name # name
                    \/ w.version >= IF age < Returns THEN 0 ELSE version
                    \/ ~Kept("compare-and-set")}

(* A write takes effect; its answer is lost, or nobody waits for it.       *)
Execute(write) ==
    LET register == registers[write.store][write.name]
        new == [owner |-> write.new.owner, from |-> write.new.from, horizon |-> write.new.horizon,
                after |-> write.new.after, mark |-> write.new.mark, version |-> register.version + 1]
    IN  /\ Accepts(register, write)
        /\ registers' = [registers EXCEPT ![write.store][write.name] = new]
        /\ writes' = StillPossible(write.store, write.name, register.version + 1)

TakesEffect(write) ==
    /\ Execute(write)
    /\ UNCHANGED <<runs, files, born, issued, saved, age, clone, sealed>>

(* A write takes effect and is answered. (An answer that arrives later is  *)
(* covered: the process does nothing with it until then.)                  *)
TakesEffectAndIsAnswered(write) ==
    \E p \in Places :
        LET lane == Lane(p)
            version == registers[write.store][write.name].version + 1
        IN  /\ Execute(write)
            /\ \/ \* a claim, which the process still waits for
                  \E w \in runs[p].claiming :
                    /\ write.by = <<p, born[p]>>
                    /\ write.name = Name(p, w)
                    /\ BeginClaimed(p, w, registers'[write.store][write.name])
               \/ \* a renewal: only now may the lane use the new horizon
                  /\ write.by = lane.id /\ lane.mode = "held"
                  /\ lane.version = write.version
                  /\ write.new.owner = lane.owner
                  /\ SetLane(p, [lane EXCEPT !.horizon = write.new.horizon, !.version = version, !.age = age])
            /\ UNCHANGED <<files, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* Rules 4, 5 and 7: what a process does once it has read its register,    *)
(* after a renewal that was refused or not answered.                       *)

Read(p) ==
    LET lane == Lane(p)
        register == Register(p, lane.worker)
        mine == register.owner = lane.owner
        \* Rule 7. (A register that does not exist has no owner, and its `from` lies below everything.)
        wentBack == mine /\ register.horizon < lane.horizon
        claimedBelow == ~mine /\ register.from < lane.horizon /\ Kept("remainder only if claimed from above")
        \* Only the claim that follows directly on ours shows that the store knew of us until then. Of two claims since
        \* the store went back, the first may lie below our horizon and the second above it.
        notDirectly == ~mine /\ register.after # lane.owner /\ Kept("remainder only before the direct successor")
        stranger == mine /\ ~lane.fresh /\ ~IsOwnMark(lane, register.mark) /\ Kept("clone")
    IN  /\ lane.mode # "none"
        /\ IF wentBack \/ claimedBelow \/ notDirectly \/ stranger
           THEN /\ sealed' = sealed \cup {<<p, lane.owner>>}
                \* Broken: the lane goes on until another worker ID is claimed
                /\ SetLane(p, IF Kept("seal first") THEN NoLane ELSE [lane EXCEPT !.mode = "lost", !.age = age])
                /\ IF FileSpeaksOf(p, lane.owner) /\ Kept("sealing erases the state file")
                   THEN files' = [files EXCEPT ![p] = NoFile]
                   ELSE UNCHANGED files
           ELSE /\ SetLane(p, IF mine
                        \* How the outcome of a write becomes known, and what a process that resumed begins with
                        THEN [lane EXCEPT !.horizon = register.horizon, !.version = register.version,
                                          !.from = register.from, !.after = register.after, !.fresh = FALSE,
                                          !.age = age]
                        \* Rule 4: what is left up to the confirmed horizon is still ours
                        ELSE [lane EXCEPT !.mode = "lost", !.fresh = FALSE, !.age = age])
                /\ UNCHANGED <<files, sealed>>
        /\ UNCHANGED <<registers, writes, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* Issuing.                                                                *)

Issuance(p, lane) ==
    [lane |-> lane.id, owner |-> lane.owner, run |-> <<p, runs[p].first>>, age |-> lane.age, heir |-> lane.heir,
     afterSealing |-> <<p, lane.owner>> \in sealed]

Issue(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode # "none"
        /\ \E t \in (lane.last + 1) .. lane.horizon :
            /\ FileSpeaksOf(p, lane.owner) /\ Kept("not above the reservation") => t <= files[p].reserved
            /\ issued' = [issued EXCEPT ![runs[p].store][lane.worker] =
                    [u \in Timestamps |-> IF lane.last < u /\ u <= t THEN @[u] \cup {Issuance(p, lane)} ELSE @[u]]]
            /\ SetLane(p, [lane EXCEPT !.last = t])
        /\ UNCHANGED <<registers, writes, files, born, saved, age, clone, sealed>>

(* A deployed Leaf server knows no register and issues at any time.        *)
LeafServerIssues(s, w) ==
    /\ w \in LeafNumbers
    /\ \E t \in Times :
        issued' = [issued EXCEPT ![s][w][t] = @ \cup {[lane |-> Nobody, owner |-> Nobody, run |-> Nobody,
                                                       age |-> age, heir |-> Nobody, afterSealing |-> FALSE]}]
    /\ UNCHANGED <<registers, writes, runs, files, born, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* Rule 6: unclean death, and the start of the next process, which knows   *)
(* nothing but the state file. It may be configured for another store.     *)

Restart(p, s) ==
    /\ runs' = [runs EXCEPT ![p] = Started(s, p)]
    /\ runs' # runs
    /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* Weak dependence: the state file.                                        *)

(* Replaces the file: it now speaks of this claim, with the confirmed      *)
(* horizon and a reservation. If that fails (the action does not happen),  *)
(* the file speaks of another claim or of none.                            *)
SaveFile(p) ==
    LET lane == Lane(p)
    IN  /\ Files
        /\ lane.mode # "none"
        /\ \E reserved \in (lane.last + 1) .. lane.horizon :
            files' = [files EXCEPT ![p] = [store |-> runs[p].store, place |-> p, worker |-> lane.worker,
                                           owner |-> lane.owner, horizon |-> lane.horizon, reserved |-> reserved,
                                           age |-> lane.age]]
        /\ files' # files
        /\ UNCHANGED <<registers, writes, runs, born, issued, saved, age, clone, sealed>>

(* A process that starts while the store is unreachable (from here: it has *)
(* done nothing yet) resumes the claim of the file: the same owner, above  *)
(* the reservation, within the horizon. Not a file that was written for    *)
(* another store or in another place.                                      *)
Resume(p) ==
    LET file == files[p]
    IN  /\ file # NoFile
        /\ runs[p].first = born[p] /\ Lane(p).mode = "none"
        /\ born[p] < MaxLanes
        /\ Kept("store of the state file") => file.store = runs[p].store
        /\ Kept("place of the state file") => file.place = p
        /\ born' = [born EXCEPT ![p] = born[p] + 1]
        /\ SetLane(p, [NoLane EXCEPT
                !.mode = "held", !.fresh = TRUE, !.id = <<p, born[p] + 1>>, !.worker = file.worker,
                !.owner = file.owner, !.horizon = file.horizon, !.age = file.age,
                !.last = IF Kept("resume above the reservation") THEN file.reserved ELSE -1])
        /\ UNCHANGED <<registers, writes, files, issued, saved, age, clone, sealed>>

(* An earlier copy that is put back into its own place is left out: it     *)
(* cannot be told from the file that was there.                            *)
CopyFile(p, q) ==
    /\ Copies
    /\ files[p] # NoFile /\ files[p].place # q
    /\ files' = [files EXCEPT ![q] = files[p]]
    /\ files' # files
    /\ UNCHANGED <<registers, writes, runs, born, issued, saved, age, clone, sealed>>

-----------------------------------------------------------------------------
(* A running process is cloned, as with a virtual machine that is copied   *)
(* with its memory: the copy has the same claim and does not know that it  *)
(* is one. Both may use what is confirmed by then, and what writes that    *)
(* travel at this moment may still confirm to both: `bound`.               *)

Clone(p, q) ==
    LET lane == Lane(p)
    IN  /\ Clones /\ clone.owner = Nobody
        /\ p # q
        /\ lane.mode = "held"
        /\ born[q] < MaxLanes
        /\ born' = [born EXCEPT ![q] = born[q] + 1]
        /\ runs' = [runs EXCEPT ![q] = [store |-> runs[p].store, claiming |-> {}, first |-> born[q],
                        lane |-> [lane EXCEPT !.id = <<q, born[q] + 1>>, !.sent = 0, !.parent = lane.id,
                                              !.common = lane.sent]]]
        /\ clone' = [owner |-> lane.owner,
                     bound |-> Greatest({lane.horizon, Register(p, lane.worker).horizon}
                                    \cup {w.new.horizon : w \in {v \in writes : v.new.owner = lane.owner}})]
        /\ UNCHANGED <<registers, writes, files, issued, saved, age, sealed>>

-----------------------------------------------------------------------------
(* Rule 7: the store goes back, to the state of a backup or to that of a   *)
(* replica that lags behind. Versions count again from there.              *)

Backup(s) ==
    /\ age < Returns
    /\ saved[s] = [n \in Names |-> Missing]
    /\ saved' = [saved EXCEPT ![s] = registers[s]]
    /\ saved' # saved
    /\ UNCHANGED <<registers, writes, runs, files, born, issued, age, clone, sealed>>

GoBack(s) ==
    /\ age < Returns
    /\ registers[s] # saved[s]
    /\ registers' = [registers EXCEPT ![s] = saved[s]]
    /\ age' = age + 1
    /\ UNCHANGED <<writes, runs, files, born, issued, saved, clone, sealed>>

-----------------------------------------------------------------------------

Next ==
    \/ \E p \in Places :
        \/ \E w \in Workers : Claim(p, w)
        \/ FindClaimed(p) \/ Renew(p) \/ Release(p) \/ Read(p) \/ Issue(p)
        \/ SaveFile(p) \/ Resume(p)
        \/ \E s \in Stores : Restart(p, s)
        \/ \E q \in Places : CopyFile(p, q) \/ Clone(p, q)
    \/ \E write \in writes : TakesEffect(write) \/ TakesEffectAndIsAnswered(write)
    \/ \E s \in Stores :
        \/ Backup(s) \/ GoBack(s)
        \/ \E w \in Workers : LeafServerIssues(s, w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised.                                                       *)

(* A store that forgets cannot be made good: it hands out again what it    *)
(* has forgotten. Excused is therefore a duplicate of two claims of which  *)
(* one was last exchanged with the store before it went back, the other    *)
(* one after. Not excused is one within a process; between a process and   *)
(* the one that resumed its claim; or between a claim and the earlier one  *)
(* that the state file still spoke of when it was made.                    *)
StoreHadForgotten(a, b) ==
    LET earlier == IF a.age < b.age THEN a ELSE b
        later == IF a.age < b.age THEN b ELSE a
    IN  /\ earlier.age < later.age
        /\ a.run # b.run
        /\ a.owner # b.owner
        /\ later.heir # earlier.owner

(* Two copies of one process share what they had when they became two. If  *)
(* one of them releases it, the next holder shares it with the other copy. *)
Cloned(a, b, t) == clone.owner \in {a.owner, b.owner} /\ t <= clone.bound

(* No pair of worker ID and timestamp is issued by two lanes.              *)
NoDuplicate ==
    \A s \in Stores, w \in Workers, t \in Timestamps :
        \/ Cardinality(issued[s][w][t]) < 2
        \/ \A a, b \in issued[s][w][t] : a.lane # b.lane => StoreHadForgotten(a, b) \/ Cloned(a, b, t)

(* Rule 7: what was sealed stays sealed, also after a restart.             *)
SealedStaysSealed ==
    sealed = {} \/ \A s \in Stores, w \in Workers, t \in Timestamps : \A i \in issued[s][w][t] : ~i.afterSealing

-----------------------------------------------------------------------------
(* What must happen in some behaviour, or the model would prove nothing:   *)
(* each of these is checked as an invariant and has to be violated.        *)

Issuances == UNION {issued[s][w][t] : s \in Stores, w \in Workers, t \in Timestamps}

NeverTwoClaimsOfOneWorkerId ==
    \A s \in Stores, w \in Workers, t, u \in Timestamps :
        \A a \in issued[s][w][t], b \in issued[s][w][u] : a.owner = b.owner

NeverTwoWorkerIdsInOnePlace ==
    \A s \in Stores, w, v \in Workers, t, u \in Timestamps :
        w # v => \A a \in issued[s][w][t], b \in issued[s][v][u] : a.run # b.run

NeverARemainder == \A p \in Places : Lane(p).mode = "lost" => Lane(p).last >= Lane(p).horizon

NeverIssuedAfterAResume == \A i \in Issuances : i.lane = i.owner

NeverSealed == sealed = {}

NeverAnExcuse ==
    \A s \in Stores, w \in Workers, t \in Timestamps : Cardinality(issued[s][w][t]) < 2

-----------------------------------------------------------------------------
Symmetry == Permutations(Places) \cup Permutations(OurWorkers) \cup Permutations(Stores)
=============================================================================
