package games

import (
	"encoding/binary"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
)

// shared is the shared memory of a game in a folder, and the hub that reads it.
type shared struct {
	t      *testing.T
	hub    *Hub
	memory *memory
	folder string
	now    time.Time
}

func newShared(t *testing.T, source string) *shared {
	t.Helper()
	folder := t.TempDir()
	hub := NewOffline(Config{Source: source}, slog.New(slog.DiscardHandler), folder)
	return &shared{t, hub, hub.memories[0], folder, time.Now()}
}

// write lets the game write a state.
func (s *shared) write(files map[string][]byte) {
	s.t.Helper()
	if err := gamestest.Write(s.folder, files); err != nil {
		s.t.Fatal(err)
	}
}

// look polls once and returns the newest sample.
func (s *shared) look() (sample follow.Sample) {
	s.now = s.now.Add(10 * time.Millisecond)
	s.hub.poll(s.memory, s.now)
	s.hub.LatestAt(&sample, s.now)
	return sample
}

// playMemory writes states of a layout, and returns what the hub reads of them.
func playMemory(t *testing.T, l *gamestest.Layout) func(c *gamestest.Car) follow.Sample {
	s := newShared(t, l.Source)
	s.write(l.Files(&gamestest.Car{}))
	s.look()
	return func(c *gamestest.Car) follow.Sample {
		s.write(l.Files(c))
		sample := s.look()
		if sample.Number != uint64(c.N) {
			t.Fatalf("%s: %d samples after %d states: %s", l.Name, sample.Number, c.N, s.hub.Status())
		}
		return sample
	}
}

// memories are the layouts that are shared memory.
func memories() []gamestest.Layout {
	return slices.DeleteFunc(gamestest.Layouts(), func(l gamestest.Layout) bool { return l.Files == nil })
}

var cruising = gamestest.Car{Speed: 20}

// The memory of a game that has ended keeps its last state: only what changes is heard.
func TestOnlyChangesOfSharedMemoryAreHeard(t *testing.T) {
	for _, f := range memories() {
		s := newShared(t, f.Source)
		if s.look(); !strings.Contains(s.hub.Status(), "no game is heard at "+s.folder) {
			t.Errorf("%s: no file: %q", f.Name, s.hub.Status())
		}
		s.write(f.Files(at(cruising, 1)))
		for range 5 {
			if got := s.look(); got.Number != 0 {
				t.Fatalf("%s: a memory that stands still is heard", f.Name)
			}
		}
		for n := range 5 {
			s.write(f.Files(at(cruising, n+2)))
			if got, again := s.look(), s.look(); got.Number != uint64(n+1) || again.Number != got.Number {
				t.Fatalf("%s: %d, then %d samples after %d changes", f.Name, got.Number, again.Number, n+1)
			}
		}
	}
}

// A file that is cut short, removed, made anew or by somebody else stops nothing, and is told.
func TestSharedMemoryThatCannotBeRead(t *testing.T) {
	for _, f := range memories() {
		s := newShared(t, f.Source)
		path := s.memory.pages[0].path
		drive := func(from int) uint64 {
			for n := range 3 {
				s.write(f.Files(at(cruising, from+n)))
				s.look()
			}
			return s.look().Number
		}
		before := drive(1)
		if err := os.Truncate(path, 4); err != nil {
			t.Fatal(err)
		}
		if got := s.look(); got.Number != before || !strings.Contains(s.hub.last, "another version of the bridge") {
			t.Errorf("%s: cut short: %d samples, %q", f.Name, got.Number, s.hub.last)
		}
		os.Remove(path)
		if s.look(); drive(11) != before+2 {
			t.Errorf("%s: not heard again: %q", f.Name, s.hub.last)
		}
		os.Remove(path)
		s.memory.pages[0].refresh()
		if err := os.Symlink("/etc/passwd", path); err != nil {
			t.Fatal(err)
		}
		if s.look(); !strings.Contains(s.hub.last, path) {
			t.Errorf("%s: a link: %q", f.Name, s.hub.last)
		}
		os.Remove(path)
		os.WriteFile(path, make([]byte, 400000), 0o666)
		os.Chmod(path, 0o666)
		if s.look(); !strings.Contains(s.hub.last, "others cannot write") {
			t.Errorf("%s: others write: %q", f.Name, s.hub.last)
		}
	}
}

// Pause, menu and replay are heard at once, though nothing else changes.
func TestPhasesOfSharedMemory(t *testing.T) {
	want := map[gamestest.Phase]follow.Phase{gamestest.Paused: follow.Paused, gamestest.Menu: follow.Menu, gamestest.Replay: follow.Replay}
	for _, l := range memories() {
		for _, phase := range l.Tells {
			s := newShared(t, l.Source)
			for n := range 4 {
				s.write(l.Files(at(cruising, n)))
				s.look()
			}
			c := at(cruising, 3)
			c.Phase = phase
			if l.Source == "rf2" {
				c.N++ // the plugin counts its updates
			}
			s.write(l.Files(c))
			if l.Source == "lmu" {
				s.memory.reader.(*lmu).polls = 0 // scores are read now and then
			}
			if got := s.look(); got.Phase != want[phase] {
				t.Errorf("%s: phase %d, want %d: %s", l.Name, got.Phase, want[phase], s.hub.last)
			}
		}
	}
}

// Whatever the signs of Assetto Corsa's angles and of its world are, its attitude is that of the car, from the first packet on.
func TestSignsOfAssettoCorsaAreMeasured(t *testing.T) {
	for i := range 16 {
		sign := func(bit int) float64 { return float64(2*(i>>bit&1) - 1) }
		signs := gamestest.AssettoSigns{Heading: sign(0), Pitch: sign(1), Roll: sign(2), World: sign(3)}
		play := playMemory(t, &gamestest.Layout{Name: "ac", Source: "ac", Files: gamestest.Assetto(signs)})
		var d gamestest.Drive
		for range 400 {
			d.Advance(0.02)
			d.N++
			got := play(&d.Car)
			want, cosine := attitude(d.Heading, d.NoseUp, d.RightDown), 0.0
			for k := range want {
				cosine += want[k] * got.Att[k]
			}
			if 1-math.Abs(cosine) > 1e-6 {
				t.Fatalf("signs %+v, packet %d: attitude %v, want %v", signs, d.N, got.Att, want)
			}
		}
	}
}

// A version of Assetto Corsa whose yaw rate contradicts the way that the car turns is refused.
func TestAnAssettoCorsaThatContradictsItselfIsRefused(t *testing.T) {
	l, _ := gamestest.Of("ac")
	s := newShared(t, "ac")
	for n := range 200 {
		s.write(l.Files(at(gamestest.Car{Heading: 0.01 * float64(n), LeftRate: -1}, n)))
		s.look()
	}
	if !strings.Contains(s.hub.Status(), "other signs, which rig does not know") {
		t.Errorf("%q", s.hub.Status())
	}
}

func TestVersionsOfGamesAreTold(t *testing.T) {
	for source, want := range map[string]string{"ac": "1.16 1.7", "lmu": "1200", "scs": "ETS2 1.50, plugin 12", "rf2": ""} {
		for _, f := range memories() {
			if f.Source != source {
				continue
			}
			s := newShared(t, source)
			for n := range 3 {
				s.write(f.Files(at(cruising, n)))
				s.look()
			}
			if got := s.look(); s.hub.Version() != want || got.Version != Hash(want) {
				t.Errorf("%s: %q, want %q", source, s.hub.Version(), want)
			}
		}
	}
}

// The cabin rocks on its springs: the driver leans with it.
func TestTheCabinLeans(t *testing.T) {
	l, _ := gamestest.Of("scs")
	b := l.Files(&gamestest.Car{NoseUp: 0.1})["SCS/SCSTelemetry"]
	binary.LittleEndian.PutUint32(b[2020:], math.Float32bits(-0.05/(2*math.Pi)))
	got, want := scsSample(view(b)).Att, attitude(0, 0.1, 0.05)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6 {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// A buffer of rFactor 2 that is being written is left for the next poll.
func TestAHalfWrittenBufferIsNotRead(t *testing.T) {
	l, _ := gamestest.Of("rf2")
	s := newShared(t, "rf2")
	for n := range 3 {
		s.write(l.Files(at(cruising, n)))
		s.look()
	}
	before := s.look()
	files := l.Files(at(gamestest.Car{Speed: 90}, 5))
	telemetry := files["$rFactor2SMMP_Telemetry$"]
	telemetry[4] = 4
	s.write(files)
	if got := s.look(); got.Number != before.Number || got.Vel != before.Vel {
		t.Errorf("%+v", got)
	}
	telemetry[4] = 5
	s.write(files)
	if got := s.look(); got.Vel[0] != 90 {
		t.Errorf("%+v", got)
	}
}

func FuzzSharedMemory(f *testing.F) {
	for i, x := range memories() {
		for _, b := range x.Files(at(gamestest.Car{AccForward: 1, Speed: 20}, 5)) {
			f.Add(uint8(i), []byte(b[:min(len(b), 4096)]))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		list := memories()
		x := list[int(which)%len(list)]
		source, _ := Find(x.Source)
		m := newMemory(source, dir)
		for _, p := range m.pages {
			whole := make([]byte, 330000)
			copy(whole[max(0, len(b)%2*128460):], b)
			if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p.path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var s follow.Sample
		for range 2 {
			if _, err := m.reader.poll(m.pages, &s); err == nil {
				m.reader.version()
			}
		}
		var state follow.State
		s.Number = 1
		follow.New(follow.Config{}, 1e-3).Step(&state, &s)
		for _, p := range m.pages {
			p.close()
		}
	})
}
