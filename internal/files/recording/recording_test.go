package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/road"
	"rig.example/rig/road/layout"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// began is when the drives of the tests began.
var began = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// coupe returns a drive of the built-in coupe on a small round.
func coupe(t testing.TB) *drive.Drive {
	t.Helper()
	plan := layout.Default()
	plan.Pieces = []layout.Piece{{Name: "a", Length: 100}, {Name: "b", Turn: 180, Radius: 40}, {Name: "c", Length: 100}, {Name: "d", Turn: 180, Radius: 40}}
	ribbon, _, err := layout.NewRibbon(plan, road.SurfaceNamed)
	if err != nil {
		t.Fatal(err)
	}
	params, err := config.LoadCar("coupe")
	if err != nil {
		t.Fatal(err)
	}
	circuit := &road.Circuit{Title: "round", Ground: ribbon, Line: ribbon.Line()}
	car, err := sim.New(params, circuit, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := ffb.New(ffb.DefaultConfig(), ffb.Car{Lock: car.Lock()}, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	cue, err := cueing.New(cueing.DefaultConfig(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	platform, err := cueing.NewPlatform(cueing.DefaultGeometry(), cueing.FullStroke())
	if err != nil {
		t.Fatal(err)
	}
	d, err := drive.New(drive.Setup{Dt: sim.Dt, Car: car, Circuit: circuit, Rim: drive.Rim{ForceChains: []*ffb.Chain{chain}}, Cue: cue, Platform: platform, Guard: guard.DefaultConfig(), Tuning: cueing.Tuning(config.DefaultTuning())})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func headerOf(t testing.TB) *Header {
	t.Helper()
	h := &Header{Format: Version, Version: "v1", Began: began, CarName: "coupe", Track: "round", Rate: 100, Config: "car = \"coupe\""}
	h.SetChannels(channels.All())
	return h
}

// driven drives with a recorder: away from a stand, in a bend.
func driven(t testing.TB, r *Recorder, d *drive.Drive, from, to int, change func(tick int, in *drive.Inputs)) {
	t.Helper()
	var in drive.Inputs
	for tick := from; tick < to; tick++ {
		in = drive.Inputs{Operator: drive.Operator{Start: true}, Wheel: drive.Wheel{Present: true, Rated: 8, Angle: 0.3 * math.Sin(float64(tick)/700)},
			Pedals: drive.Pedals{Present: true, Throttle: 0.4}}
		if change != nil {
			change(tick, &in)
		}
		r.Before(&in, &d.State)
		r.After(&d.State, d.Step(&in))
		if tick%200 == 199 {
			r.Pack()
		}
	}
}

func newRecorder(t testing.TB, d *drive.Drive, o Options) *Recorder {
	t.Helper()
	if o.Cause == nil {
		o.Cause = func(t drive.Change) string { return t.Cause.String() }
	}
	r, err := New(headerOf(t), channels.All(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// recorded returns the path of a recording of some seconds.
func recorded(t testing.TB, seconds int) string {
	t.Helper()
	d, path := coupe(t), filepath.Join(t.TempDir(), "a.mcap")
	r := newRecorder(t, d, Options{File: path})
	driven(t, r, d, 0, seconds*1000, func(tick int, in *drive.Inputs) {
		if tick == 700 {
			in.Window.Keys = frame.KeyMark
		}
		in.Pedals.Present = tick < 1200 || tick > 1500
	})
	if err := r.Close(&d.State, ""); err != nil {
		t.Fatal(err)
	}
	return path
}

// The inputs of any ticks are the same after they were packed.
func TestInputsComeBack(t *testing.T) {
	random, coder := rand.New(rand.NewPCG(1, 2)), newChangeCoder()
	var list []drive.Inputs
	var packed []byte
	in := drive.Inputs{}
	for range 300 {
		memory := make([]byte, drive.InputsSize)
		memory = in.Append(memory[:0])
		for range random.IntN(4) {
			memory[random.IntN(len(memory))] = byte(random.IntN(2))
		}
		if in.Set(memory) != nil {
			in = drive.Inputs{}
		}
		list = append(list, in)
		packed = coder.append(packed, &in)
	}
	back := newChangeCoder()
	for i := range list {
		var got drive.Inputs
		rest, err := back.next(packed, &got)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := got.Append(nil), list[i].Append(nil); !bytes.Equal(a, b) {
			t.Fatalf("tick %d differs", i)
		}
		packed = rest
	}
	if len(packed) != 0 {
		t.Errorf("%d bytes are left", len(packed))
	}
}

// The MCAP library's own reader finds all messages by the index, and protobuf decodes them by their own descriptors.
func TestOtherProgramsReadIt(t *testing.T) {
	f, err := os.Open(recorded(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, err := mcap.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	info, err := reader.Info()
	if err != nil {
		t.Fatal(err)
	}
	types := map[uint16]protoreflect.MessageDescriptor{}
	for id, s := range info.Schemas {
		var set descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal(s.Data, &set); err != nil {
			t.Fatal(err)
		}
		files, err := protodesc.NewFiles(&set)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		m, err := files.FindDescriptorByName(protoreflect.FullName(s.Name))
		if err != nil {
			t.Fatal(err)
		}
		types[id] = m.(protoreflect.MessageDescriptor)
	}
	count, fastest, marks := map[string]uint64{}, 0.0, 0
	messages, err := reader.Messages(mcap.UsingIndex(true))
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, c, m, err := messages.NextInto(nil)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d := dynamicpb.NewMessage(types[s.ID])
		if err := proto.Unmarshal(m.Data, d); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		count[c.Topic]++
		if at := time.Unix(0, int64(m.LogTime)).Sub(began); at < 0 || at > 3*time.Second {
			t.Fatalf("%s at %v", c.Topic, at)
		}
		switch c.Topic {
		case "/chassis":
			fastest = max(fastest, d.Get(types[s.ID].Fields().ByName("speed")).Float())
		case eventTopic:
			if d.Get(types[s.ID].Fields().ByName("kind")).String() == string(drivelog.Mark) {
				marks++
			}
		}
	}
	for id, n := range info.Statistics.ChannelMessageCounts {
		if topic := info.Channels[id].Topic; count[topic] != n {
			t.Errorf("%s: %d messages, the statistics have %d", topic, count[topic], n)
		}
	}
	if count["/chassis"] != 300 || count[inputsTopic] != 6 || count[snapshotTopic] != 1 || count[hashTopic] != 3 || marks != 1 || fastest < 1 {
		t.Errorf("%v, %g m/s, %d marks", count, fastest, marks)
	}
}

// What the loop brings while nothing packs it is missing, is counted, and does not make it wait; the recording goes on
// with a snapshot.
func TestAHeldUpRecorderLeavesAGap(t *testing.T) {
	d, path := coupe(t), filepath.Join(t.TempDir(), "a.mcap")
	r := newRecorder(t, d, Options{File: path})
	for tick := range 12_000 {
		in := drive.Inputs{Operator: drive.Operator{Start: true}, Pedals: drive.Pedals{Present: true, Throttle: 0.3}}
		r.Before(&in, &d.State)
		r.After(&d.State, d.Step(&in))
		if tick == 11_000 {
			r.Pack()
		}
	}
	if err := r.Close(&d.State, ""); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sum, err := file.Summary()
	const missing = 11_001 - ringTicks
	if err != nil || r.Missing() != missing || sum.Missing != missing || sum.Ticks != 12_000-missing {
		t.Fatalf("%d missing, %+v, %v", r.Missing(), sum, err)
	}
	for _, e := range file.Blocks {
		b, err := file.Block(e)
		if err != nil {
			t.Fatal(err)
		}
		if b.Missing > 0 && (b.Missing != missing || b.First != 11_001 || len(b.Snapshots) != 1 || b.Snapshots[0].Tick != 11_001) {
			t.Errorf("%d missing before %d, %d snapshots", b.Missing, b.First, len(b.Snapshots))
		}
	}
}

// A file that is cut off anywhere can be read up to there, and repaired. No more than the last block is lost.
func TestACutFileIsReadUpToTheCut(t *testing.T) {
	level.SkipIfQuick(t)
	whole, err := os.ReadFile(recorded(t, 6))
	if err != nil {
		t.Fatal(err)
	}
	folder, random := t.TempDir(), rand.New(rand.NewPCG(3, 4))
	full, err := Open(write(t, folder, "full.mcap", whole))
	if err != nil || full.Damage != "" || !full.Whole {
		t.Fatal(err, full.Damage)
	}
	defer full.Close()
	first := int(full.Blocks[0].at) - 9
	for n := range 200 {
		cut := first + random.IntN(len(whole)-first)
		r, err := Open(write(t, folder, "cut.mcap", whole[:cut]))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := 0
		for want < len(full.Blocks) && int(full.Blocks[want].at+full.Blocks[want].size) <= cut {
			want++
		}
		if len(r.Blocks) != want || r.Whole || r.Damage == "" {
			t.Fatalf("cut at %d: %d blocks, want %d; %q", cut, len(r.Blocks), want, r.Damage)
		}
		if n%20 == 0 {
			var out bytes.Buffer
			if lost, err := r.Repair(&out); err != nil || lost != 0 {
				t.Fatal(lost, err)
			}
			again, err := Open(write(t, folder, "whole.mcap", out.Bytes()))
			if err != nil || !again.Whole || again.Damage != "" || len(again.Blocks) != want {
				t.Fatalf("repaired: %v, %+v", err, again)
			}
			a, _ := r.Summary()
			if b, _ := again.Summary(); a != b {
				t.Errorf("repaired %+v, was %+v", b, a)
			}
			again.Close()
		}
		r.Close()
	}
}

func write(t testing.TB, folder, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Flipped bits are noticed: no block has other contents than it was written with, and nothing panics.
func TestFlippedBitsAreNoticed(t *testing.T) {
	level.SkipIfQuick(t)
	whole, err := os.ReadFile(recorded(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	folder, random := t.TempDir(), rand.New(rand.NewPCG(5, 6))
	full, err := Open(write(t, folder, "full.mcap", whole))
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	noticed := 0
	for range 300 {
		at := random.IntN(len(whole))
		whole[at] ^= 1 << random.IntN(8)
		flipped := append([]byte(nil), whole...)
		r, err := Open(write(t, folder, "flipped.mcap", flipped))
		if err != nil {
			noticed++
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
		} else {
			for i, e := range r.Blocks {
				b, err := r.Block(e)
				if err != nil {
					noticed++
					continue
				}
				if i < len(full.Blocks) && e == full.Blocks[i] {
					if was, _ := full.Block(full.Blocks[i]); !bytes.Equal(was.records, b.records) {
						t.Fatalf("byte %d: block %d differs and nothing is said", at, i)
					}
				}
			}
			r.Close()
		}
		whole[at] = flipped[at] // stays: the damage grows
	}
	if noticed == 0 {
		t.Error("nothing was noticed")
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	var other bytes.Buffer
	w, err := mcap.NewWriter(&other, &mcap.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.WriteHeader(&mcap.Header{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	h := headerOf(t)
	h.Format = 99
	var future, rate bytes.Buffer
	if _, err := newWriter(&future, h); err != nil {
		t.Fatal(err)
	}
	h.Format, h.Rate = Version, 2000
	if _, err := newWriter(&rate, h); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "does not begin as an MCAP file"},
		{"text", "speed;rpm\n1;2\n", "does not begin as an MCAP file"},
		{"other", other.String(), "lacks its header"},
		{"future", future.String(), "format 99"},
		{"rate", rate.String(), "2000 samples a second"},
	} {
		_, err := Open(write(t, t.TempDir(), tt.name, []byte(tt.text)))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// A drive in virtual time is faster than any disk: it waits, and nothing is lost.
func TestADriveInVirtualTimeWaitsForASlowDisk(t *testing.T) {
	level.SkipIfQuick(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	disk, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if _, err := unix.FcntlInt(disk.Fd(), unix.F_SETPIPE_SZ, 4096); err != nil {
		t.Fatal(err)
	}
	d := coupe(t)
	r := newRecorder(t, d, Options{File: pipe})
	go func() {
		for b := make([]byte, 4096); ; time.Sleep(2 * time.Millisecond) {
			if _, err := disk.Read(b); err != nil {
				return
			}
		}
	}()
	for tick := 0; tick < 5000; tick += 500 {
		driven(t, r, d, tick, tick+500, nil)
		r.Pack()
		if r.Wait(); len(r.file.queue) > 0 || r.Missing() != 0 {
			t.Errorf("at %d ms %d blocks wait for the disk, and %d ticks are missing", tick+500, len(r.file.queue), r.Missing())
		}
	}
	if err := r.Close(&d.State, ""); err != nil {
		t.Error(err)
	}
}

// A disk that takes nothing costs the drive nothing: what does not fit is lost, counted, and told.
func TestADiskThatTakesNothing(t *testing.T) {
	level.SkipIfQuick(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	d := coupe(t)
	r := newRecorder(t, d, Options{File: pipe})
	driven(t, r, d, 0, 20_000, nil)
	for n := 0; r.Missing() == 0 && n < 20; n++ { // until the pipe and the queue are full
		driven(t, r, d, 20_000+n*1000, 21_000+n*1000, nil)
	}
	if r.Missing() == 0 {
		t.Error("a pipe that nobody reads took everything")
	}
	r.file.closeTime = time.Millisecond
	if err := r.Close(&d.State, ""); err == nil || !strings.Contains(err.Error(), "did not take the rest") {
		t.Errorf("error %v", err)
	}

	told := make(chan string, 10)
	r = newRecorder(t, d, Options{File: filepath.Join(t.TempDir(), "a.mcap"), FreeGB: 1e9, Notify: func(text string) { told <- text }})
	driven(t, r, d, 0, 2000, nil)
	if err := r.Close(&d.State, ""); err == nil || !strings.Contains(err.Error(), "GB left") {
		t.Errorf("a full disk: %v", err)
	}
	if text := <-told; !strings.Contains(text, "recording ends") || !strings.Contains(text, "record.free_gb") {
		t.Errorf("%q", text)
	}

	r = newRecorder(t, d, Options{File: filepath.Join(t.TempDir(), "a.mcap"), Notify: func(text string) { told <- text }})
	r.file.out.Close() // as if the disk failed
	driven(t, r, d, 0, 2000, nil)
	if err := r.Close(&d.State, ""); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a disk that fails: %v", err)
	}
	if text := <-told; !strings.Contains(text, "recording ends") {
		t.Errorf("%q", text)
	}

	path := recorded(t, 1)
	if _, err := New(headerOf(t), channels.All(), d, Options{File: path}); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a file that is there: %v", err)
	}
	if _, err := New(headerOf(t), channels.All(), d, Options{File: "/proc/no/such/file"}); err == nil {
		t.Error("a folder that takes nothing")
	}
}

// The black box holds the last two minutes, begins with a snapshot, and is written 2 s after a fault.
func TestTheBlackBox(t *testing.T) {
	level.SkipIfQuick(t)
	d, folder := coupe(t), filepath.Join(t.TempDir(), "boxes")
	var told []string
	r := newRecorder(t, d, Options{BlackBoxFolder: folder, BlackBoxBytes: 48 << 20, KeepBlackBoxes: 2, Notify: func(text string) { told = append(told, text) }})
	stops := uint64(0)
	stopAt := map[int]bool{150_500: true, 155_000: true, 160_000: true}
	driven(t, r, d, 0, 165_000, func(tick int, in *drive.Inputs) {
		if stopAt[tick] {
			stops++
		}
		if in.Operator.Stops = stops; stopAt[tick-500] {
			in.Operator.Confirmed, in.Operator.ConfirmBy = stops, guard.ByCommand
		}
	})
	if err := r.Close(&d.State, "error"); err != nil {
		t.Fatal(err)
	}
	all, err := List(folder)
	if err != nil || len(all) != 2 || len(told) != 4 {
		t.Fatalf("%d files, %q, %v", len(all), told, err)
	}
	for i, end := range []uint64{162_000, 165_000} {
		file, err := Open(all[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := file.Block(file.Blocks[0])
		if err != nil {
			t.Fatal(err)
		}
		if first, last := file.Blocks[0].First, file.Length(); last < end || last > end+2 || last-first < boxTicks || last-first > boxTicks+stateEvery || len(b.Snapshots) != 1 || !all[i].Whole || !all[i].BlackBox {
			t.Errorf("%d to %d, %d snapshots, %+v", first, last, len(b.Snapshots), all[i])
		}
		file.Close()
	}
	r.box.memory = 1 // no room: the newest part that begins with a snapshot is left
	if before := len(r.box.blocks); before < 240 {
		t.Errorf("%d blocks", before)
	}
}

// The oldest recordings go, those with a mark stay.
func TestPrune(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile(recorded(t, 1)) // with a mark
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "1-marked.mcap", data)
	for i := range 3 {
		d, path := coupe(t), filepath.Join(folder, fmt.Sprintf("%d.mcap", i+2))
		h := headerOf(t)
		h.Began = began.Add(time.Duration(i+1) * time.Hour)
		r, err := New(h, channels.All(), d, Options{File: path, Cause: func(drive.Change) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		driven(t, r, d, 0, 1000, nil)
		if err := r.Close(&d.State, ""); err != nil {
			t.Fatal(err)
		}
	}
	write(t, folder, "foreign.mcap", []byte("mine"))
	deleted, err := Prune(folder, 2*int64(len(data))+int64(len(data))/2)
	if err != nil || len(deleted) != 2 || filepath.Base(deleted[0]) != "2.mcap" || filepath.Base(deleted[1]) != "3.mcap" {
		t.Errorf("deleted %v, %v", deleted, err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 3 {
		t.Errorf("left %v", left)
	}
}

func FuzzOpen(f *testing.F) {
	data, err := os.ReadFile(recorded(f, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Open(write(t, t.TempDir(), "x", data))
		if err != nil {
			return
		}
		defer r.Close()
		for _, e := range r.Blocks {
			d, err := r.Block(e)
			if err != nil {
				continue
			}
			var in drive.Inputs
			for n := 0; n <= blockTicks+1; n++ {
				if ok, err := d.Next(&in); !ok || err != nil {
					break
				}
			}
		}
		r.Summary()
		r.Repair(io.Discard)
	})
}

// A Block's records are parsed whatever they are.
func FuzzParse(f *testing.F) {
	f.Add([]byte{5, 22, 0, 0, 0, 0, 0, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &Recording{Header: *headerOf(t)}
		_ = r.parse(&Data{coder: newChangeCoder()}, data)
	})
}

// Nobody collects garbage while a drive runs: a recorder uses its memory again.
func TestRecordingLeavesLittleGarbage(t *testing.T) {
	level.SkipIfQuick(t)
	d, folder := coupe(t), t.TempDir()
	r := newRecorder(t, d, Options{File: filepath.Join(folder, "a.mcap"), BlackBoxFolder: folder, BlackBoxBytes: 48 << 20, KeepBlackBoxes: 1})
	driven(t, r, d, 0, 140_000, nil) // the black box is full
	const seconds, most = 60, 6 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	driven(t, r, d, 140_000, 140_000+seconds*1000, nil)
	runtime.ReadMemStats(&after)
	each := float64(after.TotalAlloc-before.TotalAlloc) / seconds
	t.Logf("%.0f bytes a second", each)
	if each > most {
		t.Errorf("%.0f bytes a second, want %d at most", each, most)
	}
	if err := r.Close(&d.State, ""); err != nil {
		t.Fatal(err)
	}
}

// A disk that is slow for 8 s gets every block as it was, though the recorder uses its memory again.
func TestTheFileHasItsBlocksInTime(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	d := coupe(t)
	r := newRecorder(t, d, Options{File: pipe})
	driven(t, r, d, 0, 8000, nil)
	in, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan []byte)
	go func() {
		data, _ := io.ReadAll(in)
		read <- data
	}()
	if err := r.Close(&d.State, ""); err != nil || r.Missing() != 0 {
		t.Fatal(err, r.Missing())
	}
	file, err := Open(write(t, folder, "a.mcap", <-read))
	if err != nil || !file.Whole || len(file.Blocks) != 8000/blockTicks {
		t.Fatalf("%v, %d blocks", err, len(file.Blocks))
	}
	defer file.Close()
	for i, e := range file.Blocks {
		if b, err := file.Block(e); err != nil || b.First != uint64(i)*blockTicks {
			t.Errorf("block %d begins at %d, %v", i, b.First, err)
		}
	}
}

// A drive that never began leaves no recording.
func TestNoDriveNoFile(t *testing.T) {
	d, path := coupe(t), filepath.Join(t.TempDir(), "a.mcap")
	r := newRecorder(t, d, Options{File: path})
	if err := r.Close(&d.State, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file of no drive")
	}
}

// A chunk whose length is wrong is damaged and nothing more.
func TestAWrongLengthIsDamage(t *testing.T) {
	path := recorded(t, 1)
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const toLength = 8 + 8 + 8 + 4 + 4 + len("zstd")
	copy(data[int(file.Blocks[0].at)+toLength:], []byte{255, 255, 255, 127})
	damaged, err := Open(write(t, t.TempDir(), "a.mcap", data))
	if err != nil {
		t.Fatal(err)
	}
	defer damaged.Close()
	if _, err := damaged.Block(damaged.Blocks[0]); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error %v", err)
	}
}

// No recording writes through a link that it has made.
func TestRestoreWritesNoFileOfTheUser(t *testing.T) {
	folder := t.TempDir()
	mine := write(t, folder, "mine", []byte("precious"))
	sum, _, err := contents(mine)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Restore([]File{{Name: "a", Path: mine, SHA256: sum}, {Name: "a", Text: []byte("evil")}}, filepath.Join(folder, "in")); err == nil {
		t.Error("two files of one name")
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := Restore([]File{{Name: "../../../../../../../../../../a", Text: []byte("evil")}}, filepath.Join(folder, "in")); err == nil || !strings.Contains(err.Error(), "too far up") {
		t.Errorf("error %v", err)
	}
	if _, err := Collect([]string{"/dev/zero"}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
}
