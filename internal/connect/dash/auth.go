package dash

import (
	"crypto/subtle"
	"net/http"
	"strings"
)

// access is what a request needs.
type access int

const (
	public  access = iota // nothing: the page itself, which holds no data, and the emergency stop
	reading               // the token, unless the request is local
	tuning                // the token
)

// authorize refuses a request that lacks the token it needs, or has a wrong one.
func (s *server) authorize(r *http.Request, need access) *refusal {
	token, given := bearer(r)
	switch {
	case need == public, need == reading && !given && isLocal(r):
		return nil
	case !given:
		return &refusal{http.StatusUnauthorized, "this needs the token: open the page by the link with #token= that rig prints, or send the header Authorization: Bearer TOKEN"}
	case s.wrongTokens.blocked(peerOf(r), s.now()):
		return &refusal{http.StatusTooManyRequests, "too many wrong tokens from this address: wait a minute"}
	case !s.isToken(token):
		s.wrongTokens.add(peerOf(r), s.now())
		return &refusal{http.StatusUnauthorized, "wrong token: open the page by the link with #token= that rig prints"}
	}
	return nil
}

// isToken compares in a time that does not depend on where the texts differ.
func (s *server) isToken(token string) bool {
	return s.options.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.options.Token)) == 1
}

// bearer returns the token in a request's header.
func bearer(r *http.Request) (token string, given bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}
