import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { reportError, reportUncaughtErrors } from '../api/client-errors/report-errors.ts'
import { queryClient } from '../api/queries.ts'
import { handleKey } from '../session/commands.ts'
import { applyPreferences } from '../session/preferences.ts'
import { router } from './router.tsx'
import { StartGate } from './start-gate.tsx'

reportUncaughtErrors()
applyPreferences()
addEventListener('keydown', handleKey)
// Loads the files of the page while the user is read.
void router.load()

const onCaughtError = (error: unknown) => {
  console.error(error)
  reportError('component', error)
}

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <StartGate>
        <RouterProvider router={router} />
      </StartGate>
    </QueryClientProvider>
  </StrictMode>,
)
