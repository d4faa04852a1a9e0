package dash

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// peerOf returns the address that sent r.
func peerOf(r *http.Request) netip.Addr { return addressOf(r.RemoteAddr) }

// localOf returns the address of this machine and the port at which r arrived.
func localOf(r *http.Request) (a netip.Addr, port string) {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}, ""
	}
	_, port, _ = net.SplitHostPort(local.String())
	return addressOf(local.String()), port
}

// splitHost returns the name or address and the port of a Host header.
func splitHost(header string) (host, port string) {
	if host, port, err := net.SplitHostPort(header); err == nil {
		return strings.ToLower(host), port
	}
	return strings.ToLower(strings.Trim(header, "[]")), "80"
}

// checkHost refuses a request whose Host header is not a name of this machine. A page of another site whose name was
// made to point here (DNS rebinding) would be such a request.
func (s *server) checkHost(r *http.Request) *refusal {
	local, localPort := localOf(r)
	host, port := splitHost(r.Host)
	if port == localPort {
		a, err := netip.ParseAddr(host)
		switch {
		case s.hosts[host],
			host == "localhost" && peerOf(r).IsLoopback(),
			err == nil && local.IsValid() && a.Unmap() == local:
			return nil
		}
	}
	return &refusal{http.StatusForbidden, "this host name and port are not allowed: open the page by the address of the rig, or add the name to web.hosts"}
}

// isLocal reports whether r comes from this machine and was sent to its loopback address, and no proxy says that it
// only passes r on.
func isLocal(r *http.Request) bool {
	for _, header := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(header) != "" {
			return false
		}
	}
	host, _ := splitHost(r.Host)
	a, err := netip.ParseAddr(host)
	return peerOf(r).IsLoopback() && (host == "localhost" || err == nil && a.Unmap().IsLoopback())
}

// checkSite refuses requests that a page of another site makes. A link to the page itself may be on any site.
func checkSite(r *http.Request) *refusal {
	header := r.Header
	isLink := r.Method == http.MethodGet && r.URL.Path == "/" && header.Get("Sec-Fetch-Mode") == "navigate" && header.Get("Sec-Fetch-Dest") == "document"
	if header.Get("Sec-Fetch-Site") == "cross-site" && !isLink {
		return &refusal{http.StatusForbidden, "requests of other sites are not allowed: open the page of the rig itself"}
	}
	if _, set := header["Origin"]; set && r.Method == http.MethodPost && !strings.EqualFold(header.Get("Origin"), "http://"+r.Host) {
		return &refusal{http.StatusForbidden, "orders of other sites are not allowed: open the page of the rig itself"}
	}
	return nil
}
