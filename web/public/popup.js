// The end of a pop-up sign-in: tells the page that opened this window how it went, and closes the window.
// A channel, because a window that has been to another site has no opener any more; it reaches our own origin
// alone. Where nobody listens, no page can be told which attempt it was, or the window may not close itself, the page
// says the same and has a link home.
{
  const result = JSON.parse(document.getElementById('result').textContent)
  if (result.attempt) {
    const channel = new BroadcastChannel('studycircle-sign-in')
    channel.postMessage(result)
    channel.close()
    window.close()
  }
}
