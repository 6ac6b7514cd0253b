// Continues the session of this browser while the rest of the application loads.
import './api/start.ts'

const theme = localStorage.getItem('theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'

void import('./app/main.tsx')
