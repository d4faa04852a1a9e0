package rig

import (
	"cmp"
	"fmt"
	"io"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/page"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/internal/tools/watch"
)

// Session is the session of several rigs in which a drive takes part. Nothing that comes from it changes the drive, but
// the place where its car begins, and a stop or a pause.
type Session struct {
	Invitation keys.Invitation

	// Place asks the host for the place on the grid, from 1, before the drive is built; 0 is none. It is nil for a drive
	// that begins where it always does and joins when the host is there.
	Place func(session.Join) (place int, err error)
}

// enterSession makes the rig's part in the session of o, if there is one: what it asks the host with, and where the car
// begins.
func (r *Rig) enterSession(o *Options) error {
	if o.Session == nil {
		return nil
	}
	r.join = sessionJoin(o, &r.drive.Setup)
	if o.Session.Place == nil {
		return nil
	}
	place, err := o.Session.Place(*r.join)
	if err != nil || place == 0 {
		return err
	}
	behind, left := session.GridDistance(place)
	if err := r.drive.StartOnGrid(drive.Grid{Behind: behind, Left: left}); err != nil {
		return fmt.Errorf("session %s: %w", o.Session.Invitation.Session, err)
	}
	return nil
}

// sessionJoin returns what a rig asks its host with.
func sessionJoin(o *Options, s *drive.Setup) *session.Join {
	p, v := s.Car.Params(), version.Current()
	return &session.Join{
		Protocol: session.Protocol, Build: v.Version,
		Driver: cmp.Or(member.Of(&o.Config).Driver, shortened(o.Config.Driver), string(o.Session.Invitation.Member)), Car: fileName(o.Config.Car),
		Size: session.CarSize{
			Length: p.Length, Width: p.Width, Height: p.Height, CGHeight: p.CGHeight, CGToFront: p.CGToFront, Wheelbase: p.Wheelbase, WheelRadius: p.Front.Radius(),
		},
		Circuit: SessionCircuit(o.Config.Track, s),
	}
}

// SessionCircuit describes the circuit of a drive for a session, so that all of its rigs drive on the same.
func SessionCircuit(track string, s *drive.Setup) session.Circuit {
	return session.Circuit{Name: fileName(track), Digest: circuit.Digest(s.Circuit), Length: s.Circuit.Length()}
}

// shortened returns the name of a driver's profile as others see it.
func shortened(driver string) string { return driver[:min(len(driver), 24)] }

// shareSession makes the memory for the other cars, which the window sees if the configuration says so. It does nothing
// without a session.
func (r *Rig) shareSession(o *Options, p *page.Page) error {
	if o.Session == nil {
		return nil
	}
	others, err := page.NewOthers()
	if err != nil {
		return err
	}
	if r.others = others; member.Of(&o.Config).Show {
		p.ShareOthers(others)
	}
	return nil
}

// closeSession closes the memory for the other cars, unless the page has it.
func (r *Rig) closeSession() {
	if r.others != nil && !r.page.HasOthers() {
		r.others.Close()
	}
}

// newSessionChild returns the child that takes part in the session, or nil if there is none.
func newSessionChild(o Options, r *Rig, orders remoteOrders) (*serviceChild, error) {
	if o.Session == nil {
		return nil, nil
	}
	c, err := newServiceChild("session-member", "session", member.Options{Invitation: o.Session.Invitation, Join: *r.join, Start: r.drive.Setup.Circuit.Start}, r, orders.serveSession, o.Log)
	if err == nil {
		c.others = r.others
	}
	return c, err
}

// sessionText returns how the rig takes part in a session, or "" without one.
func (r *Rig) sessionText() string {
	if r.others == nil {
		return ""
	}
	var o frame.Others
	r.others.Get(&o)
	return watch.SessionText(&o)
}

// SessionSummary is a rig's part in a session, as it was when the drive ended.
type SessionSummary struct {
	Name      string  `json:"name"`
	Connected bool    `json:"connected"` // the host was heard
	Place     uint64  `json:"place"`     // in the classification, from 1; 0 is unknown
	Others    uint64  `json:"others"`    // cars that were shown
	Late      float64 `json:"late_ms"`   // how late they were shown
	Lost      float64 `json:"lost"`      // share of packets that were missing, 0..1
}

// sessionSummary returns the session's part of the summary, or nil without one.
func (r *Rig) sessionSummary(o *Options) *SessionSummary {
	if o.Session == nil {
		return nil
	}
	var last frame.Others
	r.others.Get(&last)
	s := &last.Session
	return &SessionSummary{string(o.Session.Invitation.Session), s.Connected == 1, s.Place, last.Count, s.Late * 1e3, s.Lost}
}

func (s *SessionSummary) print(w io.Writer) {
	if !s.Connected {
		fmt.Fprintf(w, "session %s: not connected at the end\n", s.Name)
		return
	}
	fmt.Fprintf(w, "session %s: connected, %d other cars shown %.0f ms late, %.1f %% of packets lost\n", s.Name, s.Others, s.Late, 100*s.Lost)
}
