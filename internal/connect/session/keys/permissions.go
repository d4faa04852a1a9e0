package keys

import (
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/connect/session"
)

// Permissions are the subjects of the bus that a member may publish on and subscribe to.
type Permissions struct {
	Publish, Subscribe []string
}

// Limits of every member, so that a hostile one cannot take all of a server's memory.
const (
	MaxPayload       = 64 << 10 // of a message [bytes]
	MaxSubscriptions = 200      // of a connection
)

// InboxPrefix is that of the subjects on which a member receives answers. Nobody else can subscribe to them.
func InboxPrefix(s, member session.ID) string { return "_INBOX." + string(s) + "." + string(member) }

// Permissions returns what a member of a session may do.
func (m Member) Permissions(s session.ID) Permissions {
	p := Permissions{Subscribe: []string{InboxPrefix(s, m.ID) + ".>"}}
	switch m.Role {
	case Host:
		p.Publish = append(manage(session.StreamName(s), session.ClaimStreamName(s), session.WorkStreamName(s)),
			session.BoardSubject(s), session.HostEventSubject(s), session.Subject(s, "work.>"),
			session.ClaimSubjects(s), "_INBOX."+string(s)+".>")
		p.Subscribe = append(p.Subscribe, session.Subject(s, ">"))
	case session.Rig:
		p.Publish = []string{
			session.MemberEventSubject(s, m.ID), session.JoinSubject(s, m.ID), session.HealthSubject(s, m.ID), session.PresenceSubject(s),
		}
		p.Subscribe = append(p.Subscribe, session.BoardSubject(s), session.HostEventSubject(s))
	case session.Watcher:
		p.Publish = []string{session.PresenceSubject(s)}
		p.Subscribe = append(p.Subscribe, session.BoardSubject(s), session.EventsSubject(s), session.HealthSubject(s, "*"))
	case session.Official:
		p.Publish = append(manage(session.WorkStreamName(s)),
			session.PresenceSubject(s), session.OrderSubject(s), session.Subject(s, "work.>"))
		p.Subscribe = append(p.Subscribe, session.BoardSubject(s), session.EventsSubject(s), session.HealthSubject(s, "*"), session.Subject(s, "work.>"))
	case session.Worker:
		stream := session.WorkStreamName(s)
		p.Publish = []string{
			session.ResultSubject(s, "*"), session.WorkerSubject(s, m.ID), "$JS.API.STREAM.INFO." + stream, "$JS.API.CONSUMER.INFO." + stream + ".>",
			"$JS.API.CONSUMER.MSG.NEXT." + stream + ".>", "$JS.ACK." + stream + ".>",
		}
		p.Subscribe = append(p.Subscribe, session.OfferSubject(s))
	}
	return p
}

// manage returns the subjects by which streams are made, written about and read.
func manage(streams ...string) (subjects []string) {
	for _, stream := range streams {
		for _, request := range []string{"STREAM.INFO", "STREAM.CREATE", "STREAM.UPDATE", "STREAM.MSG.GET"} {
			subjects = append(subjects, "$JS.API."+request+"."+stream)
		}
		for _, request := range []string{"CONSUMER.CREATE", "CONSUMER.INFO", "CONSUMER.DELETE", "CONSUMER.MSG.NEXT", "DIRECT.GET"} {
			subjects = append(subjects, "$JS.API."+request+"."+stream+".>")
		}
		subjects = append(subjects, "$JS.API.CONSUMER.CREATE."+stream, "$JS.API.DIRECT.GET."+stream, "$JS.ACK."+stream+".>")
	}
	return append(subjects, "$JS.API.INFO")
}

// WriteServerConfig writes a session's members as an account for the configuration of a nats-server: a file to
// include in its accounts { }.
func WriteServerConfig(w io.Writer, s session.ID, members []Member) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Members of the session %s of rigs, made by rig session members --server-config.\n", s)
	fmt.Fprintf(&b, "rig-%s: {\n  jetstream: enabled\n  users: [\n", s)
	for _, m := range members {
		p := m.Permissions(s)
		fmt.Fprintf(&b, "    # %s, %s\n    {nkey: %s, permissions: {\n", m.ID, m.Role, m.PublicKey)
		fmt.Fprintf(&b, "      publish: [%s]\n      subscribe: [%s]\n", quoted(p.Publish), quoted(p.Subscribe))
		b.WriteString("    }}\n")
	}
	b.WriteString("  ]\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func quoted(subjects []string) string {
	list := make([]string, len(subjects))
	for i, subject := range subjects {
		list[i] = `"` + subject + `"`
	}
	return strings.Join(list, ", ")
}
