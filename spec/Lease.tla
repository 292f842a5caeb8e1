-------------------------------- MODULE Lease --------------------------------
(***************************************************************************)
(* The lease protocol of snowflake mode: how processes share worker IDs so *)
(* that no pair of worker ID and timestamp is ever issued twice.           *)
(*                                                                         *)
(* README.md in this folder explains the words, the bounds and what is     *)
(* left out.                                                               *)
(*                                                                         *)
(* Four decisions keep the model small without hiding a duplicate:         *)
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
(*  - A version that nothing names any more is used again. That cannot be  *)
(*    told from one that is new, and leaves a finite number of states      *)
(*    although lanes write any number of times.                            *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Places,       \* Where processes run: a host with its state folder. One process at a time in each.
    Stores,       \* Stores of registers. Processes with different stores share nothing.
    Workers,      \* Worker IDs
    LeafNumbers,  \* Those worker IDs that servers of Meituan's Leaf use, without any register
    LastTime,     \* Clocks show 0 .. LastTime
    Window,       \* The lease window
    MaxLanes,     \* Claims, resumes and clones in each place, over all processes that run there
    MaxWrites,    \* Writes that may travel at one time
    Files,        \* TRUE: processes have a state file
    Copies,       \* TRUE: a state file may be copied to another place
    Clones,       \* TRUE: one running process may be cloned, once
    Early,        \* TRUE: reads may show writes before they have taken effect, or that never do
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
    clone         \* Which claim was cloned, and up to which timestamp both copies may use it

vars == <<registers, writes, runs, files, born, issued, saved, age, clone>>

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
(* state file, or cloned, has an identity of its own, and the owner of the *)
(* claim.                                                                  *)
Nobody == <<>>

(* One register per worker ID. If that rule is broken, every process keeps *)
(* its own register for the worker ID that it uses.                        *)
Name(p, w) == IF Kept("one register per worker ID") THEN w ELSE <<w, p>>

Names == {Name(p, w) : p \in Places, w \in Workers}

(* The version of a register that does not exist.                          *)
Absent == <<>>

(* The version of a claim that was resumed. No register has it.            *)
Unknown == <<"unknown">>

Missing == [owner |-> Nobody, horizon |-> -1, version |-> Absent]

NoRegisters == [n \in Names |-> Missing]

(* mode: "none"; "held"; "sealed": it issues nothing any more. `horizon`:  *)
(* the one that the store has confirmed. `version`: what the next write    *)
(* replaces. `unanswered`: versions of writes on top of it whose outcome   *)
(* is unknown. `last`: all timestamps up to there are used up.             *)
(* `remembered`: it issues only what the state file covers. `age`: the age *)
(* of the store when it confirmed a write of this lane last. `heir`: the   *)
(* owner that the state file named when the lane began.                    *)
NoLane == [mode |-> "none", id |-> Nobody, worker |-> Nobody, owner |-> Nobody, horizon |-> -1, version |-> Absent,
           unanswered |-> {}, last |-> -1, remembered |-> FALSE, age |-> 0, heir |-> Nobody]

(* `claim`: the lane that begins once the claim that was sent is known to  *)
(* have taken effect. `memory`: the state file can be written, as far as   *)
(* the process knows. `first`: how many lanes had begun in this place      *)
(* before this process; it matters only if the store goes back.            *)
Started(store, p) ==
    [store |-> store, lane |-> NoLane, claim |-> NoLane, memory |-> Files,
     first |-> IF Returns > 0 THEN born[p] ELSE 0]

NoFile == [owner |-> Nobody]

-----------------------------------------------------------------------------

Init ==
    /\ registers = [s \in Stores |-> NoRegisters]
    /\ writes = {}
    /\ born = [p \in Places |-> 0]
    /\ runs \in [Places -> {[store |-> s, lane |-> NoLane, claim |-> NoLane, memory |-> Files, first |-> 0] :
                            s \in Stores}]
    /\ files = [p \in Places |-> NoFile]
    /\ issued = [s \in Stores |-> [w \in Workers |-> [t \in Timestamps |-> {}]]]
    /\ saved = registers
    /\ age = 0
    /\ clone = [owner |-> Nobody, bound |-> -1]

Lane(p) == runs[p].lane

Register(p, w) == registers[runs[p].store][Name(p, w)]

(* What a read may show.                                                   *)
Shown(p, w) ==
    {Register(p, w)} \cup
        IF Early THEN {v.new : v \in {v \in writes : v.store = runs[p].store /\ v.name = Name(p, w)}} ELSE {}

SetLane(p, lane) == runs' = [runs EXCEPT ![p].lane = lane]

(* The state file of this place speaks of this claim.                      *)
FileSpeaksOf(p, owner) == files[p].owner = owner

(* The process has given its state file up, which may speak of its lane    *)
(* and cannot be moved on: the lane has to be exchanged for another one.   *)
Uncovered(p) == Lane(p).mode = "held" /\ Lane(p).remembered /\ ~runs[p].memory

-----------------------------------------------------------------------------
(* Versions and writes.                                                    *)

RECURSIVE Reachable(_, _)
Reachable(versions, sent) ==
    LET more == versions \cup {w.new.version : w \in {v \in sent : v.version \in versions}}
    IN  IF more = versions THEN versions ELSE Reachable(more, sent)

(* The versions that a register has or may get by the writes `sent`. No    *)
(* other can be found in it, so a lane need not remember others.           *)
Possible(store, name, now, backup, returned, sent) ==
    Reachable({now[store][name].version} \cup IF returned < Returns THEN {backup[store][name].version} ELSE {},
              {w \in sent : w.store = store /\ w.name = name})

PossibleFor(p, lane) == Possible(runs[p].store, Name(p, lane.worker), registers, saved, age, writes)

(* Writes that can still take effect. To leave the others out merges       *)
(* states that differ in nothing.                                          *)
StillPossible(now, backup, returned, sent) ==
    IF ~Kept("compare-and-set") THEN sent
    ELSE {w \in sent : w.version \in Possible(w.store, w.name, now, backup, returned, sent)}

Versions ==
    UNION {{registers[s][n].version, saved[s][n].version} : s \in Stores, n \in Names}
        \cup UNION {{w.version, w.new.version} : w \in writes}
        \cup UNION {{lane.version} \cup lane.unanswered : lane \in {runs[p].lane : p \in Places}}
        \cup UNION {{lane.version} \cup lane.unanswered : lane \in {runs[p].claim : p \in Places}}

(* The version of a new write. It is drawn at random, so it is unlike any  *)
(* other. If that rule is broken, it is the owner and a count.             *)
NewVersion(id, owner, before) ==
    IF Kept("versions are random")
    THEN <<id, CHOOSE n \in 1 .. 99 : <<id, n>> \notin Versions /\ \A m \in 1 .. n - 1 : <<id, m>> \in Versions>>
    ELSE <<owner, IF before = Absent THEN 1 ELSE before[2] + 1>>

(* A write that cannot take effect is refused, which changes nothing. No   *)
(* horizon lies beyond the last of the timestamps, a bound of the model.   *)
Send(write) ==
    /\ write.new.horizon \in Timestamps \cup {-1}
    /\ Cardinality(writes) < MaxWrites
    /\ \/ write.version \in Possible(write.store, write.name, registers, saved, age, writes)
       \/ ~Kept("compare-and-set")
    /\ writes' = writes \cup {write}

-----------------------------------------------------------------------------
(* Claim.                                                                  *)

(* What a lane of this process must not issue with this worker ID: what    *)
(* the process has issued before, and what the state file speaks of. A     *)
(* lane that issues nothing before it has replaced the file begins above   *)
(* the reservation. Without a file that can be replaced, the next process  *)
(* may resume the claim of the file and use it up to its horizon.          *)
OwnFloor(p, w) ==
    Max(IF Kept("above what the process has issued") THEN Lane(p).last ELSE -1,
        IF files[p] = NoFile THEN -1
        ELSE IF files[p].store # runs[p].store \/ files[p].place # p \/ files[p].worker # w THEN -1
        ELSE IF ~Kept("above the reservation in the state file") THEN -1
        ELSE IF runs[p].memory \/ ~Kept("above the horizon of a state file that stays") THEN files[p].reserved
        ELSE files[p].horizon)

Claimable(register, now) ==
    register.version = Absent \/ register.owner = Nobody \/ register.horizon < now

(* Reads the register and sends the claim. The claimant starts above the   *)
(* horizon; with a register that does not exist, at its own time.          *)
Claim(p, w) ==
    LET id == <<p, born[p] + 1>>
    IN  /\ Lane(p).mode # "held" \/ Uncovered(p)
        /\ born[p] < MaxLanes
        /\ Kept("numbers used without a register") => w \notin LeafNumbers
        /\ \E register \in Shown(p, w), now \in Times :
            LET floor == Max(OwnFloor(p, w), IF register.version = Absent THEN now - 1 ELSE register.horizon)
                horizon == Max(now, floor) + Window
                version == NewVersion(id, id, register.version)
            IN  /\ Claimable(register, now)
                /\ Send([store |-> runs[p].store, name |-> Name(p, w), version |-> register.version,
                         by |-> <<id>>, new |-> [owner |-> id, horizon |-> horizon, version |-> version]])
                /\ runs' = [runs EXCEPT ![p].claim =
                        [NoLane EXCEPT !.mode = "held", !.id = id, !.worker = w, !.owner = id, !.horizon = horizon,
                                       !.version = version, !.last = IF Kept("floor") THEN floor ELSE floor - 1]]
        /\ born' = [born EXCEPT ![p] = born[p] + 1]
        /\ UNCHANGED <<registers, files, issued, saved, age, clone>>

(* The claim is known to have taken effect: its lane takes the place of    *)
(* the one before. The floor is taken once more, since that one may have   *)
(* gone on, and the state file may have been given up meanwhile.           *)
Begin(p, claim) ==
    runs' = [runs EXCEPT
        ![p].claim = NoLane,
        ![p].lane = [claim EXCEPT
            !.last = Max(claim.last, OwnFloor(p, claim.worker)),
            !.remembered = runs[p].memory,
            !.age = age,
            !.heir = IF Returns > 0 /\ files[p] # NoFile /\ files[p].store = runs[p].store THEN files[p].owner
                     ELSE Nobody]]

-----------------------------------------------------------------------------
(* Renew. A claim without an answer that a read shows is renewed in the    *)
(* same way: it counts once a write on top of it is answered.              *)

Renew(p, part) ==
    LET lane == runs[p][part]
    IN  /\ lane.mode = "held" /\ lane.version # Unknown
        /\ IF part = "lane" THEN ~Uncovered(p)
           ELSE \E found \in Shown(p, lane.worker) : found.version = lane.version
        /\ \E now \in Times :
            LET ahead == Max(now, lane.last) + Window
                horizon == IF Kept("a horizon never goes down") THEN Max(lane.horizon, ahead) ELSE ahead
                version == NewVersion(lane.id, lane.owner, lane.version)
            IN  /\ Send([store |-> runs[p].store, name |-> Name(p, lane.worker), version |-> lane.version,
                         by |-> lane.id, new |-> [owner |-> lane.owner, horizon |-> horizon, version |-> version]])
                /\ runs' = [runs EXCEPT ![p][part] =
                        [lane EXCEPT !.unanswered = (@ \cap PossibleFor(p, lane)) \cup {version},
                                     !.horizon = IF Kept("horizon only after confirmation") THEN @ ELSE horizon]]
        /\ UNCHANGED <<registers, files, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* Release. The process has stopped and sends its last write; the next     *)
(* action in this place is that of a new process. The state file must not  *)
(* speak of the claim any more, or the next process would resume it.       *)

Release(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode = "held" /\ lane.version # Unknown
        /\ Send([store |-> runs[p].store, name |-> Name(p, lane.worker), version |-> lane.version, by |-> Nobody,
                 new |-> [owner |-> Nobody, horizon |-> lane.last,
                          version |-> NewVersion(lane.id, Nobody, lane.version)]])
        /\ IF Kept("release after sealing") THEN runs' = [runs EXCEPT ![p] = Started(runs[p].store, p)]
           ELSE UNCHANGED runs
        /\ IF FileSpeaksOf(p, lane.owner) /\ Kept("release erases the state file")
           THEN files' = [files EXCEPT ![p] = NoFile]
           ELSE UNCHANGED files
        /\ UNCHANGED <<registers, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* The store: compare-and-set, conditional on the version.                 *)

Execute(write) ==
    LET now == [registers EXCEPT ![write.store][write.name] = write.new]
    IN  /\ Kept("compare-and-set") => registers[write.store][write.name].version = write.version
        /\ registers' = now
        /\ writes' = StillPossible(now, saved, age, writes)

(* A write takes effect; its answer is lost, or no process waits for it.    *)
TakesEffect(write) ==
    /\ Execute(write)
    /\ UNCHANGED <<runs, files, born, issued, saved, age, clone>>

(* A write never takes effect again, which leaves room for another one. It *)
(* matters as long as the store may go back to what the write replaces.    *)
IsLost(write) ==
    /\ age < Returns
    /\ writes' = StillPossible(registers, saved, age, writes \ {write})
    /\ UNCHANGED <<registers, runs, files, born, issued, saved, age, clone>>

(* A write takes effect and is answered. (An answer that arrives later is  *)
(* covered: the process does nothing with it until then.)                  *)
TakesEffectAndIsAnswered(write) ==
    /\ Execute(write)
    /\ \E p \in Places, part \in {"lane", "claim"} :
        LET lane == runs[p][part]
            confirmed == [lane EXCEPT !.horizon = Max(@, write.new.horizon), !.version = write.new.version,
                                      !.unanswered = {}, !.age = age]
        IN  /\ lane.mode = "held"
            /\ \/ /\ write.by = lane.id /\ write.version = lane.version
                  /\ IF part = "claim" THEN Begin(p, confirmed) ELSE SetLane(p, confirmed)
               \/ part = "claim" /\ write.by = <<lane.owner>> /\ Begin(p, lane)
    /\ UNCHANGED <<files, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* What a process does once it has read its register, after a write that   *)
(* was refused or not answered. A write of its own that it finds is what   *)
(* the next one replaces; only that one, if it is answered, confirms a     *)
(* horizon. With anything else the lane is lost, for good.                 *)

Read(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode = "held"
        /\ \E found \in Shown(p, lane.worker) :
            LET own == \/ lane.version = Unknown
                       \/ found.version \in lane.unanswered
                       \/ ~Kept("only versions of its own")
            IN  /\ found.version # lane.version
                /\ IF /\ own
                      /\ found.owner = lane.owner \/ ~Kept("only its own claim")
                      /\ found.horizon >= lane.horizon
                   THEN SetLane(p, IF Kept("a read does not confirm")
                            THEN [lane EXCEPT !.version = found.version, !.unanswered = {}]
                            ELSE [lane EXCEPT !.version = found.version, !.unanswered = {},
                                              !.horizon = found.horizon, !.age = age])
                   ELSE SetLane(p, IF Kept("seal first")
                            THEN [NoLane EXCEPT !.mode = "sealed", !.owner = lane.owner, !.last = lane.last]
                            \* Broken: the lane goes on until another worker ID is claimed
                            ELSE [lane EXCEPT !.mode = "lost", !.age = age])
        /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone>>

(* The same for a claim whose answer was lost. If the register shows none  *)
(* of its writes, nothing changes: they may still take effect.             *)
ReadClaim(p) ==
    LET claim == runs[p].claim
    IN  /\ claim.mode = "held"
        /\ \E found \in Shown(p, claim.worker) :
            \/ /\ found.version \in claim.unanswered
               /\ runs' = [runs EXCEPT ![p].claim.version = found.version, ![p].claim.unanswered = {}]
            \/ /\ ~Kept("a read does not confirm")
               /\ found.version = claim.version
               /\ Begin(p, claim)
        /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* Issuing.                                                                *)

Issuance(p, lane) ==
    [lane |-> lane.id, owner |-> lane.owner, run |-> <<p, runs[p].first>>, age |-> lane.age, heir |-> lane.heir]

(* A remembered lane passes no timestamp that the state file does not      *)
(* cover. So it issues nothing before it has replaced the file.            *)
Covers(p, lane, t) ==
    \/ ~lane.remembered
    \/ FileSpeaksOf(p, lane.owner) /\ (Kept("not above the reservation") => t <= files[p].reserved)
    \/ ~FileSpeaksOf(p, lane.owner) /\ ~Kept("replace the state file first")

Issue(p) ==
    LET lane == Lane(p)
    IN  /\ lane.mode \in {"held", "lost"}
        /\ \E t \in (lane.last + 1) .. lane.horizon :
            /\ Covers(p, lane, t)
            /\ issued' = [issued EXCEPT ![runs[p].store][lane.worker] =
                    [u \in Timestamps |-> IF lane.last < u /\ u <= t THEN @[u] \cup {Issuance(p, lane)} ELSE @[u]]]
            /\ SetLane(p, [lane EXCEPT !.last = t])
        /\ UNCHANGED <<registers, writes, files, born, saved, age, clone>>

(* A server of Meituan's Leaf knows no register and issues at any time.     *)
LeafServerIssues(s, w) ==
    /\ w \in LeafNumbers
    /\ \E t \in Times :
        issued' = [issued EXCEPT ![s][w][t] = @ \cup {[lane |-> Nobody, owner |-> Nobody, run |-> Nobody, age |-> age,
                                                       heir |-> Nobody]}]
    /\ UNCHANGED <<registers, writes, runs, files, born, saved, age, clone>>

-----------------------------------------------------------------------------
(* An unclean death, and the start of the next process, which knows        *)
(* nothing but the state file. It may be configured for another store.     *)

Restart(p, s) ==
    /\ runs' = [runs EXCEPT ![p] = Started(s, p)]
    /\ runs' # runs
    /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* Weak dependence: the state file.                                        *)

(* Replaces the file: it now speaks of this claim, with the confirmed      *)
(* horizon and a reservation.                                              *)
SaveFile(p) ==
    LET lane == Lane(p)
        reserved == IF FileSpeaksOf(p, lane.owner) THEN Max(files[p].reserved, lane.last) ELSE lane.last
    IN  /\ lane.mode = "held" /\ lane.remembered /\ runs[p].memory
        /\ \E until \in (reserved + 1) .. lane.horizon :
            files' = [files EXCEPT ![p] = [store |-> runs[p].store, place |-> p, worker |-> lane.worker,
                                           owner |-> lane.owner, horizon |-> lane.horizon, reserved |-> until,
                                           age |-> lane.age]]
        /\ UNCHANGED <<registers, writes, runs, born, issued, saved, age, clone>>

(* The file cannot be written, and the process does without it from now    *)
(* on. The file stays as it is, or as the attempt that failed has left it. *)
GiveFileUp(p) ==
    /\ runs[p].memory
    /\ runs' = [runs EXCEPT ![p].memory = FALSE]
    /\ UNCHANGED <<registers, writes, files, born, issued, saved, age, clone>>

(* Erases the file after the lane was sealed. If the process ends before   *)
(* that, or if it fails, the next one may resume the claim.                *)
EraseFile(p) ==
    /\ Lane(p).mode = "sealed" /\ FileSpeaksOf(p, Lane(p).owner)
    /\ files' = [files EXCEPT ![p] = NoFile]
    /\ UNCHANGED <<registers, writes, runs, born, issued, saved, age, clone>>

(* A process that starts while the store is unreachable, or that had no    *)
(* answer to its claims, resumes the claim of the file: the same owner,    *)
(* above the reservation, within the horizon. Not a file that was written  *)
(* for another store or in another place, nor without a file that can be   *)
(* written.                                                                *)
Resume(p) ==
    LET file == files[p]
    IN  /\ file # NoFile
        /\ Lane(p).mode = "none" /\ runs[p].memory
        /\ born[p] < MaxLanes
        /\ Kept("store of the state file") => file.store = runs[p].store
        /\ Kept("place of the state file") => file.place = p
        /\ born' = [born EXCEPT ![p] = born[p] + 1]
        /\ SetLane(p, [NoLane EXCEPT
                !.mode = "held", !.id = <<p, born[p] + 1>>, !.worker = file.worker, !.owner = file.owner,
                !.horizon = file.horizon, !.version = Unknown, !.remembered = TRUE, !.age = file.age,
                !.last = IF Kept("resume above the reservation") THEN file.reserved ELSE -1])
        /\ UNCHANGED <<registers, writes, files, issued, saved, age, clone>>

(* An earlier copy that is put back into its own place is left out: it     *)
(* cannot be told from the file that was there.                            *)
CopyFile(p, q) ==
    /\ Copies
    /\ files[p] # NoFile /\ files[p].place # q
    /\ files' = [files EXCEPT ![q] = files[p]]
    /\ files' # files
    /\ UNCHANGED <<registers, writes, runs, born, issued, saved, age, clone>>

-----------------------------------------------------------------------------
(* A running process is cloned, as with a virtual machine that is copied   *)
(* with its memory: the copy has the same lane, or the same claim, and     *)
(* does not know that it is one. Both may use what is confirmed by then,   *)
(* and what writes that travel at this moment may still confirm to both:   *)
(* `bound`.                                                                *)

Clone(p, q, part) ==
    LET lane == runs[p][part]
    IN  /\ Clones /\ clone.owner = Nobody
        /\ p # q
        /\ lane.mode = "held"
        /\ born[q] < MaxLanes
        /\ born' = [born EXCEPT ![q] = born[q] + 1]
        /\ runs' = [runs EXCEPT ![q] = [Started(runs[p].store, q) EXCEPT ![part] =
                        [lane EXCEPT !.id = <<q, born[q] + 1>>]]]
        /\ clone' = [owner |-> lane.owner,
                     bound |-> Greatest({lane.horizon, Register(p, lane.worker).horizon}
                                    \cup {w.new.horizon : w \in {v \in writes : v.new.owner = lane.owner}})]
        /\ UNCHANGED <<registers, writes, files, issued, saved, age>>

-----------------------------------------------------------------------------
(* The store goes back, to the state of a backup or to that of a replica   *)
(* that lags behind, or to its empty beginning.                            *)

Backup(s) ==
    /\ age < Returns
    /\ saved[s] = NoRegisters
    /\ saved' = [saved EXCEPT ![s] = registers[s]]
    /\ saved' # saved
    /\ writes' = StillPossible(registers, saved', age, writes)
    /\ UNCHANGED <<registers, runs, files, born, issued, age, clone>>

GoBack(s) ==
    /\ age < Returns
    /\ registers[s] # saved[s]
    /\ registers' = [registers EXCEPT ![s] = saved[s]]
    /\ age' = age + 1
    /\ saved' = IF age' = Returns THEN [r \in Stores |-> NoRegisters] ELSE saved
    /\ writes' = StillPossible(registers', saved', age', writes)
    /\ UNCHANGED <<runs, files, born, issued, clone>>

-----------------------------------------------------------------------------

Next ==
    \/ \E p \in Places :
        \/ \E w \in Workers : Claim(p, w)
        \/ \E part \in {"lane", "claim"} : Renew(p, part) \/ \E q \in Places : Clone(p, q, part)
        \/ Release(p) \/ Read(p) \/ ReadClaim(p) \/ Issue(p)
        \/ SaveFile(p) \/ GiveFileUp(p) \/ EraseFile(p) \/ Resume(p)
        \/ \E s \in Stores : Restart(p, s)
        \/ \E q \in Places : CopyFile(p, q)
    \/ \E write \in writes : TakesEffect(write) \/ IsLost(write) \/ TakesEffectAndIsAnswered(write)
    \/ \E s \in Stores :
        \/ Backup(s) \/ GoBack(s)
        \/ \E w \in Workers : LeafServerIssues(s, w)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What is promised.                                                       *)

(* A store that forgets cannot be made good: it hands out again what it    *)
(* has forgotten. Excused is therefore a duplicate of two claims of which  *)
(* one was last confirmed by the store before it went back, the other one  *)
(* after. Not excused is one within a process; between a process and the   *)
(* one that resumed its claim; or between a claim and the earlier one that *)
(* the state file still spoke of when it was made.                         *)
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

NeverIssuedAfterAResume == \A i \in Issuances : i.lane = i.owner

NeverSealed == \A p \in Places : Lane(p).mode # "sealed"

NeverAnExcuse ==
    \A s \in Stores, w \in Workers, t \in Timestamps : Cardinality(issued[s][w][t]) < 2

-----------------------------------------------------------------------------
Symmetry == Permutations(Places) \cup Permutations(OurWorkers) \cup Permutations(Stores)

(* What nothing names any more is left out of the comparison of states.    *)
Seen(p, lane) ==
    IF lane.mode # "held" THEN lane
    ELSE [lane EXCEPT !.unanswered = @ \cap PossibleFor(p, lane),
                      !.version = IF @ \in PossibleFor(p, lane) \cup {Unknown} THEN @ ELSE Absent]

View == <<registers, writes, [p \in Places |-> [runs[p] EXCEPT !.lane = Seen(p, @), !.claim = Seen(p, @)]], files, born,
          issued, saved, age, clone>>
=============================================================================
