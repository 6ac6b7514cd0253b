import { lazy, Suspense } from 'react'
import { isProblem } from '../api/problem.ts'
import { createStore, useStore } from '../api/store.ts'

const Dialogs = lazy(() =>
  import('./reauthenticate-dialogs.tsx').then((module) => ({ default: module.ReauthenticateDialogs })),
)

export type Question = { confirm: () => void; cancel: () => void }

const question = createStore<Question | undefined>(undefined)
let confirmation: Promise<void> | undefined

/** Runs the action. If the API requires a recent sign-in, the user confirms the password and the action runs again. */
export async function withReauthentication<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!isProblem(error, 'reauthentication_required')) throw error
    confirmation ??= askForPassword(error).finally(() => {
      confirmation = undefined
    })
    await confirmation
    return await action()
  }
}

function askForPassword(problem: Error): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    question.set({ confirm: resolve, cancel: () => reject(problem) })
  }).finally(() => question.set(undefined))
}

/** Mounted once, in the shell. */
export function ReauthenticationDialog() {
  const asked = useStore(question)
  return (
    asked && (
      <Suspense>
        <Dialogs question={asked} />
      </Suspense>
    )
  )
}
