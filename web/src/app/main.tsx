import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/queries.ts'
import { handleKey } from './commands.ts'
import { applyPreferences } from './preferences.ts'
import { router } from './router.tsx'
import { StartGate } from './start-gate.tsx'

applyPreferences()
addEventListener('keydown', handleKey)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <StartGate>
        <RouterProvider router={router} />
      </StartGate>
    </QueryClientProvider>
  </StrictMode>,
)
