package member

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/road"
)

// Part is a rig's part in a session of several, on the side of the rig: what it asks its host with, where its car begins,
// and the memory in which its process leaves the other cars. Nothing that comes from a session changes the drive, but
// the place where its car begins, and a stop or a pause.
type Part struct {
	Invitation keys.Invitation
	Driver     string // as others see it; at most 24 bytes count, and empty is the name of the invited rig
	Car, Track string // as the configuration names them
	Show       bool   // the window shows the other cars

	// Place asks the host for the place on the grid, from 1, before the drive begins; 0 is none. It is nil for a drive
	// that begins where it always does and joins when the host is there.
	Place func(session.Join) (place int, err error)

	others *framepage.Others
}

// Enter places the car of a drive on the grid and makes the memory for the other cars, which p gets if they are shown. It returns the
// options of the process, and that memory's file.
func (r *Part) Enter(d *drive.Drive, p *framepage.Page) (options any, files []*os.File, err error) {
	join := r.join(&d.Setup)
	if err := r.takePlace(d, join); err != nil {
		return nil, nil, err
	}
	if r.others, err = framepage.NewOthers(); err != nil {
		return nil, nil, err
	}
	if r.Show {
		p.ShareOthers(r.others)
	}
	return Options{Invitation: r.Invitation, Join: join, Start: d.Setup.Circuit.Start}, []*os.File{r.others.File()}, nil
}

// takePlace places the car of a drive where the host says.
func (r *Part) takePlace(d *drive.Drive, join session.Join) error {
	if r.Place == nil {
		return nil
	}
	place, err := r.Place(join)
	if err != nil || place == 0 {
		return err
	}
	behind, left := road.GridDistance(place)
	if err := d.StartOnGrid(drive.Grid{Behind: behind, Left: left}); err != nil {
		return fmt.Errorf("session %s: %w", r.Invitation.Session, err)
	}
	return nil
}

// join returns what a rig asks its host with.
func (r *Part) join(s *drive.Setup) session.Join {
	p, v := s.Car.Params(), version.Current()
	return session.Join{
		Protocol: session.Protocol, Build: v.Version,
		Driver: cmp.Or(r.Driver[:min(len(r.Driver), 24)], string(r.Invitation.Member)), Car: userfile.BaseName(r.Car),
		Size: session.CarSize{
			Length: p.Length, Width: p.Width, Height: p.Height, CGHeight: p.CGHeight, CGToFront: p.CGToFront, Wheelbase: p.Wheelbase, WheelRadius: p.Front.Radius(),
		},
		Circuit: CircuitOf(r.Track, s.Circuit),
	}
}

// CircuitOf describes a circuit for a session, so that all of its rigs drive on the same.
func CircuitOf(track string, c *road.Circuit) session.Circuit {
	return session.Circuit{Name: userfile.BaseName(track), Digest: circuit.Digest(c), Length: c.Length()}
}

// Left takes the other cars away: nobody moves them any more.
func (r *Part) Left() { r.others.Put(&frame.Others{}) }

// Close closes the memory for the other cars, unless the page has it. r may be nil.
func (r *Part) Close() {
	if r != nil && r.others != nil && !r.Show {
		r.others.Close()
	}
}

// Text returns how the rig takes part, or "" without a session. r may be nil.
func (r *Part) Text() string {
	if r == nil || r.others == nil {
		return ""
	}
	var o frame.Others
	r.others.Get(&o)
	return o.Summary()
}

// Summary is a rig's part in a session, as it was when the drive ended.
type Summary struct {
	Name      string  `json:"name"`
	Connected bool    `json:"connected"` // the host was heard
	Place     uint64  `json:"place"`     // in the classification, from 1; 0 is unknown
	Others    uint64  `json:"others"`    // cars that were shown
	Late      float64 `json:"late_ms"`   // how late they were shown
	Lost      float64 `json:"lost"`      // share of packets that were missing, 0..1
}

// Summary returns the summary as of now.
func (r *Part) Summary() *Summary {
	var last frame.Others
	r.others.Get(&last)
	s := &last.Session
	return &Summary{string(r.Invitation.Session), s.Connected == 1, s.Place, last.Count, s.Late * 1e3, s.Lost}
}

// Print writes s as text.
func (s *Summary) Print(w io.Writer) {
	if !s.Connected {
		fmt.Fprintf(w, "session %s: not connected at the end\n", s.Name)
		return
	}
	fmt.Fprintf(w, "session %s: connected, %d other cars shown %.0f ms late, %.1f %% of packets lost\n", s.Name, s.Others, s.Late, 100*s.Lost)
}
