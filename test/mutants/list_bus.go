package main

// busMutants are faults in what protects the messages and events of a session.
var busMutants = []mutant{
	{
		name: "a rig may send events of others",
		file: "internal/connect/session/keys/permissions.go", function: "Member.Permissions",
		old: "session.MemberEventSubject(s, m.ID)", new: "session.EventsSubject(s)",
		tests: "^TestEachRoleHasItsOwnSubjectsAlone$", pkg: "internal/connect/session/bus",
	},
	{
		name: "a key that others can read is accepted",
		file: "internal/connect/session/keys/invitation.go", function: "read",
		old: "0o077", new: "0o022",
		tests: "^TestInvitationsThatOthersCanReadAreRefused$",
	},
	{
		name: "an acknowledgement of a server is taken for a message of a member",
		file: "internal/connect/session/bus/bus.go", function: "fromMember",
		old: `h.Get(headerKey) != ""`, new: "true",
		tests: "^TestAnswersCannotBeDirectedToOthers$",
	},
	{
		name: "a kept message that a member directs to another subject is taken for one there",
		file: "internal/connect/session/bus/bus.go", function: "(*Bus).Subscribe",
		old: "matches(subject, m.Subject)", new: "true",
		tests: "^TestWorkCannotBeDirectedToOthers$",
	},
	{
		name: "the host's answers go where a member directs them",
		file: "internal/connect/session/bus/bus.go", function: "(*Bus).Serve",
		old: "m.Reply, inboxes", new: "m.Reply, inboxes[:0]",
		tests: "^TestAnswersCannotBeDirectedToOthers$",
	},
	{
		name: "an event of another member with the same id is taken for a double",
		file: "internal/connect/session/bus/events.go", function: "(*Bus).Store",
		old: `b.member.Seed + "\n" + id`, new: "id",
		tests: "^TestIDsOfEventsAreAMembersOwn$",
	},
	{
		name: "a member's name is enough, without a signature",
		file: "internal/connect/session/server/members.go", function: "(*members).Check",
		old: "key.Verify(c.GetNonce(), signature) != nil", new: "(key == nil && signature == nil)",
		tests: "^TestNothingWithoutTheKey$", pkg: "internal/connect/session/bus",
	},
	{
		name: "a revoked member stays until its connection ends",
		file: "internal/connect/session/server/server.go", function: "(*Server).Reload",
		old: "!ok || had", new: "ok && had",
		tests: "^TestARevokedMemberIsDisconnectedAndTheOthersAreNot$", pkg: "internal/connect/session/bus",
	},
	{
		name: "a member keeps the rights of the role before",
		file: "internal/connect/session/server/server.go", function: "(*Server).Reload",
		old: "now != was", new: "now.ID != was.ID",
		tests: "^TestAMemberWithAnotherRoleConnectsAgain$", pkg: "internal/connect/session/bus",
	},
	{
		name: "an event is acknowledged before it is on the disk",
		file: "internal/connect/session/server/server.go", function: "serverOptions",
		old: "SyncAlways:             true,", new: "SyncAlways:             false,",
		tests: "^TestOptionsOfTheServer$",
	},
	{
		name: "a host that was killed keeps the next one out until its claim has ended",
		file: "internal/connect/session/bus/claim.go", function: "(*Bus).claim",
		old: "renewals == 2", new: "renewals < 2",
		tests: "^TestAClaimEndsWithItsLease$",
	},
	{
		name: "a claim whose answer was lost is given up",
		file: "internal/connect/session/bus/claim.go", function: "(*claim).again",
		old: "c.revision = entry.Revision()", new: "",
		tests: "^TestAClaimIsRenewed$",
	},
}
