package dash

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/valid"
)

var _ Source = (*framepage.Page)(nil)

// fakeSource is a rig that drives as driveTo says.
type fakeSource struct {
	mu      sync.Mutex
	frame   frame.Frame
	seq     uint64
	notice  string
	failure string
	ended   bool
}

func (f *fakeSource) Read(to *frame.Frame) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seq > 0 {
		*to = f.frame
	}
	return f.seq > 0
}

func (f *fakeSource) Seq() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seq
}

func (f *fakeSource) Notice() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notice
}

func (f *fakeSource) Ended() (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failure, f.ended
}

// change changes the source.
func (f *fakeSource) change(by func(f *fakeSource)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by(f)
}

// driveTo publishes a frame of a drive at a time [s].
func (f *fakeSource) driveTo(t float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	f.frame = drivenFrame(t)
}

// drivenFrame is a frame of a car that accelerates and brakes through bends, at a time [s].
func drivenFrame(t float64) frame.Frame {
	throttle, brake := max(0, math.Sin(t/2)), max(0, -math.Sin(t/2))
	bend, bump := math.Sin(t/3), math.Sin(40*t)
	f := frame.Frame{
		Tick: uint64(1000 * t), State: uint64(guard.Driving), Flags: frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent | frame.EngineRunning,
		Speed: 45 + 20*math.Sin(t/2-1), Gear: 4, RPM: 4600 + 2400*math.Sin(t/2-1), Steer: 0.9 * bend, Throttle: throttle, Brake: brake,
		ABS: 3, Traction: 2, Fuel: 31.4, Charge: 0.6, Gain: 1, Distance: 45 * t,
		AskedTorque: 9*bend + 0.4*bump, RatedTorque: 8,
		Pose: frame.Pose{0.06 * throttle, 0.05 * bend, 0.004 * bump, 0.06 * bend, -0.05 * (throttle - brake), 0.03 * bend, 0, 0},
		Lap: frame.Lap{
			Number: 3, Count: 2, Time: 20 + t, Last: 83.456, Best: 82.901, Delta: 0.24 * bend, Sectors: 3, Sector: 1,
			Splits: [8]float64{27.12}, LastSplits: [8]float64{27.5, 28.3, 27.65}, BestSectors: [8]float64{27.12, 28.1, 27.6},
		},
		Missed: 3, LateMax: 84e-6, TickCost: 61e-6, Pictures: 1200, Recorder: frame.Recorder{On: 1, Bytes: 81_300_000},
	}
	if brake > 0.8 {
		f.Flags |= frame.ABSActive
	}
	if math.Abs(f.AskedTorque) > 8 {
		f.Flags |= frame.Clipping
	}
	f.RimTorque = valid.Clamp(f.AskedTorque, -8, 8)
	for i := range f.Wheels {
		side := 1 - 2*float64(i%2)
		f.Wheels[i] = frame.Wheel{Load: 3500, NormalizedSlip: math.Abs(bend) + 0.2*throttle, TireTemperature: 82 + 25*bend*side, TirePressure: 2.1e5, BrakeTemperature: 320 + 90*brake}
	}
	f.Motion = frame.Motion{State: 4, LegCount: 4, Rate: 500, LineShare: 0.4, Latency: 0.0021, Scale: 1, GuardShare: 1}
	for i := range f.Legs {
		f.Legs[i] = 0.5 + 0.25*bend*(1-2*float64(i%2)) + 0.1*(throttle-brake)*(1-2*float64(i/2))
		f.LegsFeedback[i], f.Motion.FollowError[i], f.Motion.Temperature[i] = f.Legs[i]-0.03*bend, -0.03*bend, math.NaN()
	}
	for i := range f.Tuned {
		f.Tuned[i] = 1
	}
	f.Tuned[1], f.Tuned[13] = 0.5, math.NaN() // 13: there is no slide actuator
	return f
}

// testScene is the scene of that drive.
func testScene() *frame.Scene {
	n := frame.Names{
		PlatformStates: []string{"absent", "opening", "homing", "ready", "active", "parking", "parked", "fault", "halted"},
		Faults:         []string{"drive fault", "end stop", "too hot"},
		Actuators:      []string{"front left", "front right", "rear left", "rear right"},
		Tuned: []string{"force_gain", "force_effects", "force_cutoff", "motion", "motion_surge", "motion_sway", "motion_heave", "motion_roll", "motion_pitch",
			"motion_yaw", "motion_road", "motion_kerb", "motion_shift", "motion_slide", "motion_belt", "motion_filter", "limit_travel", "limit_speed", "limit_accel"},
	}
	for state := range guard.Stopped + 1 {
		n.States = append(n.States, state.String())
	}
	return &frame.Scene{Names: n, CarName: "gt", TrackName: "club", Car: frame.Car{IdleRPM: 900, ShiftUpRPM: 7000, MaxRPM: 7400, SteerLock: 7.8, TankCapacity: 60}}
}

// ordered records the orders that reached the rig.
type ordered struct {
	mu    sync.Mutex
	stops int
	tunes []string
	err   error // what orders answer
}

func (o *ordered) stop() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stops++
	return o.err
}

func (o *ordered) tune(factor string, share float64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tunes = append(o.tunes, fmt.Sprintf("%s %g", factor, share))
	return o.err
}

// String returns all orders so far.
func (o *ordered) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return fmt.Sprintf("%d stops %s", o.stops, strings.Join(o.tunes, ", "))
}

const testToken = "abcdefghijklmnopqrstuvwx27"

// testServer is a server with a fake rig and a clock that stands still.
type testServer struct {
	*server
	source  *fakeSource
	ordered *ordered
	clock   time.Time
}

// newTestServer returns a server whose rig has driven for 60 s; change may be nil.
func newTestServer(change func(o *Options)) *testServer {
	t := &testServer{source: &fakeSource{}, ordered: &ordered{}, clock: time.Unix(1e9, 0)}
	t.source.driveTo(60)
	o := Options{
		Config: Config{Hosts: []string{"Rig.local"}}, Source: t.source, Scene: testScene(), Orders: Orders{t.ordered.stop, t.ordered.tune},
		Token: testToken, Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	t.server = newServer(o, func() time.Time { return t.clock })
	t.hub.sample(0)
	return t
}

// request is one request from peer to the rig at 192.168.1.5, or to its loopback address.
type request struct {
	method, path, host, peer string
	header                   map[string]string
	body                     string
}

const (
	lan   = "192.168.1.5:8888"
	phone = "192.168.1.77"
)

// ask sends a request to the handler and returns the answer. The stream ends after its first events.
func (s *testServer) ask(q request) *httptest.ResponseRecorder {
	r := httptest.NewRequest(q.method, "http://placeholder/", strings.NewReader(q.body))
	r.URL.Path, r.Host, r.RemoteAddr = q.path, q.host, net.JoinHostPort(q.peer, "50000")
	local := lan
	if strings.HasPrefix(q.peer, "127.") {
		local = "127.0.0.1:8888"
	} else if q.peer == "::1" {
		local = "[::1]:8888"
	}
	a, _ := net.ResolveTCPAddr("tcp", local)
	ctx, cancel := context.WithCancel(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(a)))
	cancel()
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	w := &deadlineRecorder{httptest.NewRecorder()}
	s.ServeHTTP(w, r.WithContext(ctx))
	return w.ResponseRecorder
}

// deadlineRecorder is a recorder that takes deadlines, as a connection does.
type deadlineRecorder struct{ *httptest.ResponseRecorder }

func (deadlineRecorder) SetReadDeadline(time.Time) error  { return nil }
func (deadlineRecorder) SetWriteDeadline(time.Time) error { return nil }

// start serves s at a port of the loopback address until the test ends, and returns its address.
func start(t *testing.T, s *server, limits timing) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startAt(t, ln, s, limits)
}

func startAt(t *testing.T, ln net.Listener, s *server, limits timing) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, ln, s, limits) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return ln.Addr().String()
}
