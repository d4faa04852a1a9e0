package dash

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

func TestRoutes(t *testing.T) {
	for _, tt := range []struct {
		method, path string
		status       int
		kind, holds  string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", `id="stop"`},
		{"GET", "/index.html", 200, "text/html; charset=utf-8", "<!doctype html>"},
		{"GET", "/style.css", 200, "text/css; charset=utf-8", "--bg"},
		{"GET", "/app.js", 200, "text/javascript; charset=utf-8", "import"},
		{"GET", "/icon.svg", 200, "image/svg+xml", "<svg"},
		{"GET", "/state", 200, "application/json", `"state":"driving"`},
		{"GET", "/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "rig_car_speed"},
		{"GET", "/events", 200, "text/event-stream", "event: scene\ndata: {"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", ""},

		{"HEAD", "/events", 405, "", "takes GET"},
		{"POST", "/", 405, "", "takes GET"},
		{"GET", "/tune", 405, "", "takes POST"},
		{"GET", "/stop", 405, "", "takes POST"},
		{"PUT", "/tune", 405, "", "takes POST"},
		{"DELETE", "/state", 405, "", "takes GET"},
		{"OPTIONS", "/stop", 405, "", "takes POST"},
		{"TRACE", "/", 405, "", "takes GET"},
		{"GET", "", 404, "", "nothing is at this path"},
		{"OPTIONS", "*", 404, "", "nothing is at this path"},
		{"GET", "/web/app.js", 404, "", "nothing is at this path"},
		{"GET", "/web/", 404, "", "nothing is at this path"},
		{"GET", "//", 404, "", "nothing is at this path"},
		{"GET", "/state/", 404, "", "nothing is at this path"},
		{"GET", "/STATE", 404, "", "nothing is at this path"},
		{"GET", "/../dash.go", 404, "", "nothing is at this path"},
		{"GET", "/app.js/../../dash.go", 404, "", "nothing is at this path"},
		{"GET", "/../../../../etc/passwd", 404, "", "nothing is at this path"},
		{"GET", "/..\\dash.go", 404, "", "nothing is at this path"},
		{"GET", "/app.js\x00", 404, "", "nothing is at this path"},
		{"GET", "/confirm", 404, "", "nothing is at this path"},
	} {
		got := newTestServer(nil).ask(request{method: tt.method, path: tt.path, host: "localhost:8888", peer: "127.0.0.1"})
		kind := tt.kind
		if tt.status >= 400 {
			kind = "text/plain; charset=utf-8"
		}
		if h := got.Header(); got.Code != tt.status || h.Get("Content-Type") != kind || !strings.Contains(got.Body.String(), tt.holds) ||
			!strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cache-Control") == "" {
			t.Errorf("%s %s: %d %v %.80q", tt.method, tt.path, got.Code, h, got.Body)
		}
		if tt.status == 405 && got.Header().Get("Allow") == "" {
			t.Errorf("%s %s: no header Allow", tt.method, tt.path)
		}
	}
}

// A browser that has a file is told that it has not changed.
func TestFilesAreNotSentTwice(t *testing.T) {
	s := newTestServer(nil)
	q := request{method: "GET", path: "/app.js", host: "localhost:8888", peer: "127.0.0.1"}
	q.header = map[string]string{"If-None-Match": s.ask(q).Header().Get("ETag")}
	if got := s.ask(q); got.Code != http.StatusNotModified || got.Body.Len() != 0 {
		t.Errorf("%d, %d bytes", got.Code, got.Body.Len())
	}
}

// The page itself never needs another server, and holds neither scripts nor styles that the policy would refuse.
func TestFilesNameNoOtherServer(t *testing.T) {
	for path, a := range assets() {
		text := strings.ReplaceAll(string(a.data), `xmlns="http://www.w3.org/2000/svg"`, "")
		for _, bad := range []string{"http:", "https:", "//cdn", "url(", "@import", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style=", "onclick", "WebSocket", "sendBeacon"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", path, bad)
			}
		}
		if a.kind == "" {
			t.Errorf("%s: no content type", path)
		}
	}
	if len(assets()) != 11 {
		t.Errorf("%d files", len(assets()))
	}
}

// raw sends bytes to the server and returns all that it answers until it closes the connection.
func raw(t *testing.T, address, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(c, text)
	answer, _ := io.ReadAll(c) // the connection may be reset
	return string(answer)
}

// What is no request, or too much of one, is answered by an error or a closed connection, and orders nothing.
func TestHostileRequests(t *testing.T) {
	level.SkipIfQuick(t)
	s, hurried := newTestServer(nil), newTestServer(nil)
	address := start(t, s.server, patient())
	limits := patient()
	limits.header, limits.read = 50*time.Millisecond, 50*time.Millisecond
	hurriedAddress := start(t, hurried.server, limits)
	host := "Host: " + address + "\r\nConnection: close\r\n"
	order := host + "Content-Type: application/json\r\nAuthorization: Bearer " + testToken + "\r\n"
	for _, tt := range []struct{ name, text, want string }{
		{"garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400"},
		{"zeros", strings.Repeat("\x00", 20000), "4"},
		{"large header", "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("a", 20000) + "\r\n\r\n", "431"},
		{"many headers", "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: a\r\n", 4000) + "\r\n", "431"},
		{"long path", "GET /" + strings.Repeat("a", 20000) + " HTTP/1.1\r\n" + host + "\r\n", "431"},
		{"no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"},
		{"two hosts", "GET / HTTP/1.1\r\n" + host + "Host: evil.example\r\n\r\n", "400"},
		{"another host in the path", "GET http://evil.example/ HTTP/1.1\r\n" + host + "\r\n", "403"},
		{"old protocol without a host", "GET / HTTP/1.0\r\n\r\n", "403"},
		{"a tunnel", "CONNECT " + address + " HTTP/1.1\r\n" + host + "\r\n", "404"},
		{"encoded path", "GET /%2e%2e/dash.go HTTP/1.1\r\n" + host + "\r\n", "404"},
		{"path above the root", "GET /../../etc/passwd HTTP/1.1\r\n" + host + "\r\n", "404"},
		{"large body", "POST /tune HTTP/1.1\r\n" + order + "Content-Length: 1000000000\r\n\r\n{", "413"},
		{"large body in pieces", "POST /tune HTTP/1.1\r\n" + order + "Transfer-Encoding: chunked\r\n\r\n1000\r\n" + strings.Repeat(" ", 4096) + "\r\n0\r\n\r\n", "413"},
		{"two lengths", "POST /tune HTTP/1.1\r\n" + order + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", "400"},
		{"negative length", "POST /tune HTTP/1.1\r\n" + order + "Content-Length: -5\r\n\r\n{}", "400"},
		{"a request inside a body", "POST /state HTTP/1.1\r\n" + host + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nPOST /stop HTTP/1.1\r\n" + host + "\r\n", "405"},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "4"},
	} {
		answer := raw(t, address, tt.text)
		first, _, _ := strings.Cut(answer, "\r\n")
		_, status, _ := strings.Cut(first, " ")
		if !strings.HasPrefix(status, tt.want) || tt.want == "" && answer != "" {
			t.Errorf("%s: %q, want %s", tt.name, first, tt.want)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "no end of the header": "GET / HTTP/1.1\r\n" + host, "a header in drops": "G",
		"body that does not come": "POST /tune HTTP/1.1\r\n" + strings.ReplaceAll(order, address, hurriedAddress) + "Content-Length: 50\r\n\r\n{",
	} {
		if answer := raw(t, hurriedAddress, text); answer != "" && !strings.HasPrefix(answer, "HTTP/1.1 4") {
			t.Errorf("%s: %q", name, answer)
		}
	}
	if a, b := s.ordered.String(), hurried.ordered.String(); a != "0 stops " || b != a {
		t.Errorf("ordered %s and %s", a, b)
	}
	if answer := raw(t, address, "POST /stop HTTP/1.1\r\n"+host+"Content-Type: application/json\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 204") {
		t.Errorf("a stop afterwards: %q", answer)
	}
}

// A stop does not wait for its body.
func TestAStopWithoutItsBody(t *testing.T) {
	s := newTestServer(nil)
	address := start(t, s.server, patient())
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /stop HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n", address)
	until(t, "the stop was ordered", func() bool { return s.ordered.String() == "1 stops " })
	io.WriteString(c, "{}")
	if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != 204 {
		t.Errorf("%v, %v", answer, err)
	}
}

func TestRunSaysThatAPortIsTaken(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	s := newTestServer(func(o *Options) { o.Config.Listen = ln.Addr().String() })
	if err := Run(t.Context(), s.options); err == nil || !strings.Contains(err.Error(), "another program") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}
