// Continues the session of this browser while the rest of the application loads.
import { started } from './api/start.ts'
import { languageOf } from './texts/language.ts'
import { loadTexts } from './texts/load-texts.ts'

const theme = localStorage.getItem('theme')
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'

/** The language of the profile, which is waited for in a browser that has not shown the application yet. */
async function readLanguage(): Promise<string> {
  const response = await started
  const me = response?.ok ? ((await response.clone().json()) as { locale: string }) : undefined
  return languageOf(me?.locale ?? navigator.language)
}

async function startApplication(): Promise<void> {
  const language =
    localStorage.getItem('language') ?? (await readLanguage().catch(() => languageOf(navigator.language)))
  // English texts are better than an empty page.
  await loadTexts(language).catch(() => undefined)
  await import('./app/main.tsx')
}

void startApplication()
