// The end of a pop-up sign-in: tells the page that opened this window how it went, and closes the window.
// A channel, because a window that has been to another site has no opener any more; it reaches our own origin
// alone. Where nobody listens, or the window may not close itself, the page says the same and has a link home.
{
  const channel = new BroadcastChannel('studycircle-sign-in')
  channel.postMessage(JSON.parse(document.getElementById('result').textContent))
  channel.close()
  window.close()
}
