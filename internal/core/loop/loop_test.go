package loop

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// fakeClock wakes late by what stall says for each wake-up; a tick takes cost.
type fakeClock struct {
	now   time.Duration
	stall []time.Duration
}

func (c *fakeClock) Now() time.Duration { return c.now }

func (c *fakeClock) SleepUntil(t time.Duration) {
	c.now = max(c.now, t)
	if len(c.stall) > 0 {
		c.now += c.stall[0]
		c.stall = c.stall[1:]
	}
}

const ms = time.Millisecond

func TestLateTicks(t *testing.T) {
	tests := []struct {
		name                   string
		stall                  []time.Duration
		ticks, missed, dropped uint64
		end                    time.Duration // when the sixth wake-up has passed
	}{
		{"on time", nil, 6, 0, 0, 6 * ms},
		{"late within its period", []time.Duration{0, ms / 2}, 6, 0, 0, 6 * ms},
		{"one period late is caught up", []time.Duration{0, ms}, 7, 1, 0, 7 * ms},
		{"three late are caught up", []time.Duration{0, 3*ms + ms/2}, 9, 3, 0, 9 * ms},
		{"a long stall drops the rest", []time.Duration{0, 50 * ms}, 9, 50, 47, 56 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var st Stats
			c := &fakeClock{stall: tt.stall}
			wakes := 0
			last := time.Duration(-1)
			err := Run(c, ms, DefaultConfig(), &st, func() error {
				if c.now != last {
					wakes, last = wakes+1, c.now
				}
				if wakes > 6 {
					return ErrDone
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			// the tick that ended the loop is counted and belongs to wake-up seven
			if st.Ticks-1 != tt.ticks || st.Missed != tt.missed || st.Dropped != tt.dropped || c.now-ms != tt.end {
				t.Errorf("ticks %d missed %d dropped %d end %v, want %d %d %d %v",
					st.Ticks-1, st.Missed, st.Dropped, c.now-ms, tt.ticks, tt.missed, tt.dropped, tt.end)
			}
		})
	}
}

// Ticks that are made up for have deadlines of their own; those of the dropped periods are left out.
func TestEachTickKnowsItsDeadline(t *testing.T) {
	var st Stats
	var due []time.Duration
	Run(&fakeClock{stall: []time.Duration{0, ms + ms/2, 0, 5 * ms}}, ms, Config{CatchUp: 2}, &st, func() error {
		due = append(due, st.Due)
		if len(due) == 9 {
			return ErrDone
		}
		return nil
	})
	if want := []time.Duration{1 * ms, 2 * ms, 3 * ms, 4 * ms, 8 * ms, 9 * ms, 10 * ms, 11 * ms, 12 * ms}; !slices.Equal(due, want) {
		t.Errorf("deadlines %v, want %v", due, want)
	}
}

func TestSlowTicksAreMissedPeriods(t *testing.T) {
	var st Stats
	c := &fakeClock{}
	n := 0
	Run(c, ms, DefaultConfig(), &st, func() error {
		c.now += 3 * ms / 2 // every tick takes one and a half periods
		if n++; n == 30 {
			return ErrDone
		}
		return nil
	})
	if st.Missed == 0 {
		t.Error("ticks of 1.5 ms never missed a period of 1 ms")
	}
	if got := st.Cost.Quantile(0.5); got < 3*ms/2 || got > 3*ms/2+ms/20 {
		t.Errorf("median cost %v, want 1.5 ms", got)
	}
}

func TestTickErrorEndsTheLoop(t *testing.T) {
	boom := errors.New("boom")
	var st Stats
	if err := Run(&fakeClock{}, ms, DefaultConfig(), &st, func() error { return boom }); !errors.Is(err, boom) {
		t.Errorf("got %v, want the tick's error", err)
	}
}

func TestQuantilesAreWithin3Percent(t *testing.T) {
	var h Histogram
	for i := 1; i <= 100_000; i++ {
		h.Add(time.Duration(i) * 10)
	}
	for _, q := range []float64{0.01, 0.5, 0.99, 0.999} {
		want := q * 1e6
		if got := float64(h.Quantile(q)); got < want*0.999 || got > want*1.032 {
			t.Errorf("quantile %g is %g ns, want %g ns", q, got, want)
		}
	}
	if h.Min() != 10 || h.Max() != 1e6 || h.Quantile(1) != 1e6 || h.Count() != 100_000 {
		t.Errorf("min %v max %v top %v count %d", h.Min(), h.Max(), h.Quantile(1), h.Count())
	}
}

func TestEveryDurationFallsBelowItsBucketsTop(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 31, 32, 33, 63, 64, 1000, 999_999, 1 << 30, 1<<39 + 7} {
		i := index(d)
		if upperBound(i) < d || i > 0 && upperBound(i-1) >= d {
			t.Errorf("%d ns is in bucket %d, which ends at %d", d, i, upperBound(i))
		}
	}
	if index(1<<62) != buckets-1 {
		t.Error("a huge duration fell out of the histogram")
	}
}

func TestBinsHoldEverything(t *testing.T) {
	var h Histogram
	for _, d := range []time.Duration{100, 120, 130, 5000} {
		h.Add(d)
	}
	var got []uint64
	for _, b := range h.Bins() {
		got = append(got, b.Count)
	}
	if want := []uint64{2, 1, 0, 0, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("bins %v, want %v", got, want)
	}
}

func TestAddAllocatesNothing(t *testing.T) {
	var h Histogram
	if n := testing.AllocsPerRun(1000, func() { h.Add(12345) }); n != 0 {
		t.Errorf("Add allocates %g times", n)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	err := Config{CatchUp: 99}.Validate()
	const want = "catch_up_ticks = 99: must be 0 to 10"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func BenchmarkAdd(b *testing.B) {
	var h Histogram
	b.ReportAllocs()
	for i := range b.N {
		h.Add(time.Duration(i & 0xfffff))
	}
}
