package session

// Subjects of the bus. Every one begins with the session's name, so that sessions can share servers.
// The stream of a session keeps Subject(…).Events alone.

// Subject returns the subject under which a session's messages of a kind go.
func Subject(s ID, rest string) string { return "rig.session." + string(s) + "." + rest }

// Subjects, by who may publish on them.
func BoardSubject(s ID) string               { return Subject(s, "board") }                     // host: a Board, some times a second
func OrderSubject(s ID) string               { return Subject(s, "order") }                     // officials: an Order, answered
func EventsSubject(s ID) string              { return Subject(s, "event.>") }                   // all events, for the stream
func HostEventSubject(s ID) string           { return Subject(s, "event.host") }                // host: an Event
func MemberEventSubject(s, member ID) string { return Subject(s, "event.rig."+string(member)) } // that rig: an Event
func JoinSubject(s, member ID) string        { return Subject(s, "join."+string(member)) }      // that rig: a Join, answered by Joined
func HealthSubject(s, member ID) string      { return Subject(s, "health."+string(member)) }    // that rig: a Health, once a second
func PresenceSubject(s ID) string            { return Subject(s, "host") }                      // anybody asks a Query, the host answers

// Streams of a session, which keep messages on the servers' disks.

// StreamName is the name of the stream of a session's events.
func StreamName(s ID) string { return "rig-events-" + string(s) }

// WorkStreamName is the name of the stream of units of work and their results.
func WorkStreamName(s ID) string { return "rig-work-" + string(s) }

// Subjects of work. The stream keeps those of units and results.
func UnitSubject(s ID, queue string) string   { return Subject(s, "work.unit."+queue) }            // officials: a unit for the workers of a queue
func ResultSubject(s ID, sweep string) string { return Subject(s, "work.result."+sweep) }          // workers: a result for who has sent the unit
func OfferSubject(s ID) string                { return Subject(s, "work.offer") }                  // officials: which sweep has units, once a second
func WorkerSubject(s, member ID) string       { return Subject(s, "work.worker."+string(member)) } // that worker: that it is there, once a second

// ClaimStreamName is the name of the stream that says which program hosts a session, and ClaimSubjects are its
// subjects: those of the key-value bucket rig-claim-NAME.
func ClaimStreamName(s ID) string { return "KV_" + ClaimBucket(s) }
func ClaimSubjects(s ID) string   { return "$KV." + ClaimBucket(s) + ".>" }
func ClaimBucket(s ID) string     { return "rig-claim-" + string(s) }
