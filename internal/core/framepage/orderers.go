package framepage

import (
	"net"
	"sync"
)

// maxOrderers is how many connections give orders at a time.
const maxOrderers = 16

// orderers are the open connections that give orders. One more than maxOrderers closes the one that has been silent
// longest, so that open connections keep no stop out.
type orderers struct {
	lock sync.Mutex
	list []*orderer // the one that has been silent longest first
	over bool       // no more are served
}

// orderer is a connection that gives orders.
type orderer struct {
	*net.UnixConn
	all *orderers
}

// add returns conn as one of them, until Close.
func (o *orderers) add(conn *net.UnixConn) *orderer {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.list) >= maxOrderers {
		o.list[0].UnixConn.Close()
		o.list = o.list[1:]
	}
	c := &orderer{conn, o}
	o.list = append(o.list, c)
	if o.over {
		_ = conn.CloseRead()
	}
	return c
}

// end lets no connection give another order, nor those that still come. The order that it gave last is still answered.
func (o *orderers) end() {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.over = true
	for _, c := range o.list {
		_ = c.CloseRead() // nothing can be done about an error of a dead connection
	}
}

// remove takes c from the list.
func (o *orderers) remove(c *orderer) (found bool) {
	for i, other := range o.list {
		if other == c {
			o.list = append(o.list[:i], o.list[i+1:]...)
			return true
		}
	}
	return false
}

// Read moves a connection that sends something to the end of the list.
func (c *orderer) Read(b []byte) (int, error) {
	n, err := c.UnixConn.Read(b)
	c.all.lock.Lock()
	defer c.all.lock.Unlock()
	if n > 0 && c.all.remove(c) {
		c.all.list = append(c.all.list, c)
	}
	return n, err
}

func (c *orderer) Close() error {
	c.all.lock.Lock()
	c.all.remove(c)
	c.all.lock.Unlock()
	return c.UnixConn.Close()
}
