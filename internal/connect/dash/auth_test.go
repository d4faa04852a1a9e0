package dash

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const bodyTune = `{"factor":"motion_surge","share":0.7}`

// Every path, asked by everybody.
func TestWhoMayDoWhat(t *testing.T) {
	get := func(path string) request { return request{method: "GET", path: path} }
	post := func(path, body string) request {
		return request{method: "POST", path: path, body: body, header: map[string]string{"Content-Type": "application/json"}}
	}
	for _, tt := range []struct {
		name                                  string
		request                               request
		local, localWrong, remote, wrong, own int // status without a token, with a wrong one, with the right one
	}{
		{"page", get("/"), 200, 200, 200, 200, 200},
		{"script", get("/app.js"), 200, 200, 200, 200, 200},
		{"events", get("/events"), 200, 401, 401, 401, 200},
		{"state", get("/state"), 200, 401, 401, 401, 200},
		{"metrics", get("/metrics"), 200, 401, 401, 401, 200},
		{"tune", post("/tune", bodyTune), 401, 401, 401, 401, 204},
		{"stop", post("/stop", "{}"), 204, 204, 204, 204, 204},
	} {
		for _, who := range []struct {
			name, host, peer, token string
			want                    int
		}{
			{"local", "localhost:8888", "127.0.0.1", "", tt.local},
			{"local by number", "127.0.0.1:8888", "127.0.0.1", "", tt.local},
			{"local by IPv6", "[::1]:8888", "::1", "", tt.local},
			{"local, wrong token", "localhost:8888", "127.0.0.1", "Bearer wrong", tt.localWrong},
			{"local, no token after all", "localhost:8888", "127.0.0.1", "Basic cmln", tt.local},
			{"local by another name", "rig.local:8888", "127.0.0.1", "", tt.remote},
			{"phone", lan, phone, "", tt.remote},
			{"phone, wrong token", lan, phone, "Bearer " + testToken[1:], tt.wrong},
			{"phone, empty token", lan, phone, "Bearer ", tt.wrong},
			{"phone, token", lan, phone, "Bearer " + testToken, tt.own},
			{"phone by name, token", "RIG.local:8888", phone, "bearer " + testToken, tt.own},
		} {
			s := newTestServer(nil)
			q := tt.request
			q.host, q.peer = who.host, who.peer
			q.header = map[string]string{"Authorization": who.token, "Content-Type": q.header["Content-Type"]}
			got := s.ask(q)
			if got.Code != who.want {
				t.Errorf("%s, %s: %d, want %d: %s", tt.name, who.name, got.Code, who.want, got.Body)
			}
			if got.Code >= 400 && (strings.Count(got.Body.String(), "\n") != 1 || !strings.Contains(got.Body.String(), ": ")) {
				t.Errorf("%s, %s: %q is not a line that says what to do", tt.name, who.name, got.Body)
			}
		}
	}
}

// A proxy on the same machine passes on what others ask.
func TestAProxyIsNotLocal(t *testing.T) {
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"} {
		got := newTestServer(nil).ask(request{method: "GET", path: "/state", host: "127.0.0.1:8888", peer: "127.0.0.1", header: map[string]string{header: "x"}})
		if got.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d", header, got.Code)
		}
	}
}

// Without a token of its own a server knows no right one.
func TestAnEmptyTokenOpensNothing(t *testing.T) {
	s := newTestServer(func(o *Options) { o.Token = "" })
	for _, token := range []string{"Bearer ", "Bearer", "Bearer x"} {
		if got := s.ask(request{method: "GET", path: "/state", host: lan, peer: phone, header: map[string]string{"Authorization": token}}); got.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d", token, got.Code)
		}
	}
}

func TestGuessesOfTheTokenAreLimited(t *testing.T) {
	s := newTestServer(nil)
	try := func(peer, token string) int {
		return s.ask(request{method: "GET", path: "/state", host: lan, peer: peer, header: map[string]string{"Authorization": "Bearer " + token}}).Code
	}
	for i := range 10 {
		if got := try(phone, "wrong"); got != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i+1, got)
		}
		s.clock = s.clock.Add(time.Second)
	}
	if a, b := try(phone, "wrong"), try(phone, testToken); a != 429 || b != 429 {
		t.Errorf("after 10 guesses: %d, with the right token %d, want 429", a, b)
	}
	if got := try("192.168.1.78", testToken); got != 200 {
		t.Errorf("another address: %d", got)
	}
	stop := request{method: "POST", path: "/stop", host: lan, peer: phone, header: map[string]string{"Content-Type": "application/json", "Authorization": "Bearer wrong"}}
	if got := s.ask(stop); got.Code != 204 {
		t.Errorf("a stop after 10 guesses: %d", got.Code)
	}
	s.clock = s.clock.Add(50 * time.Second)
	if got := try(phone, testToken); got != 200 {
		t.Errorf("a minute later: %d", got)
	}
}
