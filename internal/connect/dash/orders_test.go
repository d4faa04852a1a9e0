package dash

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
)

// order sends an order from a phone with the token.
func (s *testServer) order(path, body string) (status int, text string) {
	w := s.ask(request{method: "POST", path: path, host: lan, peer: phone, body: body,
		header: map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + testToken}})
	return w.Code, w.Body.String()
}

func TestTune(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       string // the order, or a part of the refusal
		status     int
	}{
		{"some", bodyTune, "motion_surge 0.7", 204},
		{"nothing", `{"share":0,"factor":"force_gain"}`, "force_gain 0", 204},
		{"all", ` { "factor" : "motion" , "share" : 1 } `, "motion 1", 204},
		{"never negative, not even 0", `{"factor":"motion","share":-0}`, "motion 0", 204},
		{"too small to tell", `{"factor":"motion","share":1e-999}`, "motion 0", 204},
		{"escaped", `{"\u0066actor":"motio\u006e","share":0.5}`, "motion 0.5", 204},

		{"more than all", `{"factor":"motion","share":1.0001}`, "share = 1.0001: must be 0 to 1", 400},
		{"just more than all", `{"factor":"motion","share":1.0000000000000003}`, "must be 0 to 1", 400},
		{"negative", `{"factor":"motion","share":-1}`, "must be 0 to 1", 400},
		{"NaN", `{"factor":"motion","share":NaN}`, "the body must be", 400},
		{"NaN as a text", `{"factor":"motion","share":"NaN"}`, "the body must be", 400},
		{"a text", `{"factor":"motion","share":"0.5"}`, "the body must be", 400},
		{"Inf", `{"factor":"motion","share":1e999}`, "must be 0 to 1", 400},
		{"null", `{"factor":"motion","share":null}`, "the body must be", 400},
		{"true", `{"factor":"motion","share":true}`, "the body must be", 400},
		{"a list", `{"factor":"motion","share":[0.5]}`, "the body must be", 400},
		{"an object", `{"factor":{"factor":"motion"},"share":0.5}`, "the body must be", 400},
		{"unknown", `{"factor":"max_torque_nm","share":0.5}`, `factor "max_torque_nm": not found`, 400},
		{"empty name", `{"factor":"","share":0.5}`, "not found", 400},
		{"another letter", `{"Factor":"motion","share":0.5}`, "the body must be", 400},
		{"twice", `{"factor":"motion","share":0.5,"share":0.6}`, "the body must be", 400},
		{"twice the same, escaped", `{"factor":"motion","facto\u0072":"motion","share":0.5}`, "the body must be", 400},
		{"one more key", `{"factor":"motion","share":0.5,"confirm":true}`, "the body must be", 400},
		{"no share", `{"factor":"motion"}`, "the body must be", 400},
		{"two objects", bodyTune + bodyTune, "the body must be", 400},
		{"a list of objects", "[" + bodyTune + "]", "the body must be", 400},
		{"cut off", bodyTune[:20], "the body must be", 400},
		{"empty", "", "the body must be", 400},
		{"not JSON", "factor=motion&share=0.5", "the body must be", 400},
		{"a line break in the name", `{"factor":"a\nb","share":0.5}`, `a\\nb`, 400},
		{"large", `{"factor":"motion","share":0.5` + strings.Repeat(" ", 1024) + "}", "larger than 1 kB", 413},
	} {
		s := newTestServer(nil)
		status, text := s.order("/tune", tt.body)
		if status == 204 {
			text = strings.Join(s.ordered.tunes, ", ")
		} else if s.ordered.String() != "0 stops " {
			t.Errorf("%s: ordered %v", tt.name, s.ordered)
		}
		if status != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %d %q, want %d %q", tt.name, status, text, tt.status, tt.want)
		}
	}
}

func FuzzParseTune(f *testing.F) {
	for _, body := range []string{bodyTune, `{"share":1.0001,"factor":"motion"}`, `{"factor":"motion","share":-0,"x":[1,{}]}`, "[", `{"factor":"\ud800","share":1e-5}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		_, share, err := parseTune(body)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error %q is not one line", body, err)
		}
		if !(share >= 0 && share <= 1) || math.Signbit(share) || err != nil && share != 0 {
			t.Errorf("%q: share %g", body, share)
		}
	})
}

// Orders beyond the limit are refused, and count again as soon as a second has passed since the first.
func TestOrdersAreLimitedInRate(t *testing.T) {
	for _, path := range []string{"/stop", "/tune"} {
		s := newTestServer(nil)
		count := func(n int) (done int) {
			for range n {
				status, _ := s.order(path, bodyTune)
				if status == 204 {
					done++
				} else if status != http.StatusTooManyRequests {
					t.Errorf("%s: %d", path, status)
				}
			}
			return done
		}
		first := count(15)
		s.clock = s.clock.Add(600 * time.Millisecond)
		second := count(15)
		s.clock = s.clock.Add(400 * time.Millisecond)
		third := count(30)
		if first != 15 || second != 5 || third != 15 {
			t.Errorf("%s: %d, %d and %d orders passed, want 15, 5 and 15", path, first, second, third)
		}
		if got := s.ordered.stops + len(s.ordered.tunes); got != 35 {
			t.Errorf("%s: %d orders reached the rig", path, got)
		}
	}
}

// A client without the token cannot use up the orders of clients that have it.
func TestRefusedOrdersDoNotCount(t *testing.T) {
	s := newTestServer(nil)
	for range 100 {
		s.ask(request{method: "POST", path: "/tune", host: lan, peer: "192.168.1.99", body: bodyTune, header: map[string]string{"Content-Type": "application/json"}})
	}
	if status, text := s.order("/tune", bodyTune); status != 204 {
		t.Errorf("%d %s", status, text)
	}
}

func TestFailuresOfOrdersAreShown(t *testing.T) {
	s := newTestServer(nil)
	s.ordered.err = errors.New("pipe closed\nstart the rig")
	for _, path := range []string{"/stop", "/tune"} {
		status, text := s.order(path, bodyTune)
		if status != http.StatusServiceUnavailable || !strings.Contains(text, `pipe closed\nstart the rig`) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %d %q", path, status, text)
		}
	}
}

// No request whatever it holds orders anything but a stop, or a share of at most 1 of a known factor with the token.
func FuzzRequests(f *testing.F) {
	f.Add("POST", "/tune", lan, phone, "application/json", "", "Bearer "+testToken, bodyTune)
	f.Add("POST", "/stop", lan, phone, "application/json", "http://"+lan, "", "{}")
	f.Add("GET", "/events", "localhost:8888", "127.0.0.1", "", "", "", "")
	f.Add("GET", "/../state", "[::1]:8888", "::1", "", "null", "Bearer x", `{"factor":"motion","share":2}`)
	f.Add("POST", "/tune", lan, phone, "application/json", "", "Bearer "+testToken, `{"factor":"motion","share":1.5}`)
	f.Fuzz(func(t *testing.T, method, path, host, peer, kind, origin, token, body string) {
		if !isHost(peer) || !isMethod(method) {
			return
		}
		s := newTestServer(nil)
		header := map[string]string{"Content-Type": kind, "Authorization": token}
		if origin != "" {
			header["Origin"] = origin
		}
		got := s.ask(request{method, path, host, peer, header, body})
		if got.Code >= 400 && s.ordered.String() != "0 stops " || s.ordered.stops > 0 && path != "/stop" || s.ordered.stops > 1 || len(s.ordered.tunes) > 1 {
			t.Errorf("%d, and ordered %v", got.Code, s.ordered)
		}
		for _, order := range s.ordered.tunes {
			var factor string
			var share float64
			fmt.Sscan(order, &factor, &share)
			isKnown := strings.Contains(strings.Join(s.options.Scene.Names.Tuned, " "), factor)
			if !(share >= 0 && share <= 1) || !isKnown || !strings.Contains(token, testToken) {
				t.Errorf("ordered %s with %q", order, token)
			}
		}
	})
}

// isMethod reports whether httptest takes a method.
func isMethod(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
