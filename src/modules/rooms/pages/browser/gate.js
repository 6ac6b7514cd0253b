// Makes the gate of a room faster to use. It works without this script.
const code = document.querySelector('#code')
code?.addEventListener('input', () => {
  if (/^\d{6}$/.test(code.value)) code.form.requestSubmit()
})

const reveal = document.querySelector('button[aria-controls="password"]')
if (reveal) {
  const password = document.querySelector('#password')
  reveal.hidden = false
  reveal.addEventListener('click', () => {
    const isHidden = password.type === 'password'
    password.type = isHidden ? 'text' : 'password'
    reveal.setAttribute('aria-pressed', String(isHidden))
  })
}

const wait = document.querySelector('[data-seconds]')
if (wait) {
  const { lang } = document.documentElement
  const end = Date.now() + Number(wait.dataset.seconds) * 1000
  const format = (value, unit) =>
    new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  const time = document.querySelector('time')
  time.textContent = new Date(end).toLocaleTimeString(lang, { hour: 'numeric', minute: '2-digit' })
  const countdown = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    wait.textContent = seconds < 60 ? format(seconds, 'second') : format(Math.ceil(seconds / 60), 'minute')
    if (seconds) return
    clearInterval(countdown)
    location.replace(document.querySelector('.card a').href)
  }, 1000)
}
