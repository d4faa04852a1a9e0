package member

import (
	"errors"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
)

// driveOf returns a new drive on the default circuit, with a page.
func driveOf(t *testing.T) (*drive.Drive, *framepage.Page) {
	t.Helper()
	parts, err := drivesetup.New(config.Default(), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return parts.Drive, p
}

// What a rig asks its host with, and where its car then begins.
func TestARigAsksForItsPlace(t *testing.T) {
	var asked session.Join
	part := &Part{
		Invitation: keys.Invitation{Session: "test", Member: "ada"}, Driver: strings.Repeat("x", 40), Car: "coupe", Track: "tracks/club.toml",
		Place: func(j session.Join) (int, error) { asked = j; return 2, nil },
	}
	d, p := driveOf(t)
	options, files, err := part.Enter(d, p)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Close()
	length := d.Setup.Circuit.Length()
	if asked.Protocol != session.Protocol || len(asked.Driver) != 24 || asked.Car != "coupe" || asked.Circuit.Name != "club" || len(asked.Circuit.Digest) != 64 ||
		asked.Circuit.Length != length || !(asked.Size.Length > 3 && asked.Size.WheelRadius > 0.2) {
		t.Errorf("%+v", asked)
	}
	if o := options.(Options); o.Invitation.Member != "ada" || o.Join != asked || o.Start != d.Setup.Circuit.Start || len(files) != 1 {
		t.Errorf("the process has %+v", options)
	}
	if got := d.Setup.Grid; got != (drive.Grid{Behind: 16, Left: -2}) {
		t.Errorf("place %+v", got)
	}
	part.Place = func(session.Join) (int, error) { return 0, errors.New("no host") }
	if _, _, err := part.Enter(driveOf(t)); err == nil {
		t.Error("drives without a host")
	}
	alone := &Part{}
	defer alone.Close()
	d, p = driveOf(t)
	if _, _, err := alone.Enter(d, p); err != nil || d.Setup.Grid != (drive.Grid{}) {
		t.Errorf("%v, place %+v without asking", err, d.Setup.Grid)
	}
}

// The window has the other cars if the configuration says so; the process always leaves them, and those of one that has
// ended are taken away.
func TestWhoSeesTheOtherCars(t *testing.T) {
	for _, show := range []bool{false, true} {
		part := &Part{Show: show}
		d, p := driveOf(t)
		if part.Text() != "" {
			t.Errorf("%q before it takes part", part.Text())
		}
		if _, files, err := part.Enter(d, p); err != nil || len(files) != 1 || p.HasOthers() != show || len(p.Files()) != 2+int(frame.OneIf(show)) {
			t.Errorf("show %v: %v, %d files for the window", show, err, len(p.Files()))
		}
		part.others.Put(&frame.Others{Session: frame.Session{Connected: 1, Place: 2}})
		if s := part.Summary(); !s.Connected || s.Place != 2 || !strings.Contains(part.Text(), "connected, place 2 of 0") {
			t.Errorf("%+v, %q", s, part.Text())
		}
		if part.Left(); part.Text() != "session: not connected" || part.Summary().Connected {
			t.Errorf("%q after its process has ended", part.Text())
		}
		part.Close()
	}
	if part := (*Part)(nil); part.Text() != "" {
		t.Error("a text without a session")
	}
}
