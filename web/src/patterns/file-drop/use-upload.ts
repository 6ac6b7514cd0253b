import { useEffect, useRef, useState } from 'react'
import { uploadForm } from './upload-form.ts'

export type Upload = { name: string; sent: number; total: number; startedAt: number }

type Options<T> = { done: (result: T, file: File) => void }

/** Sends one file at a time. Leaving the page or choosing another file ends the upload. */
export function useUpload<T>({ done }: Options<T>) {
  const [upload, setUpload] = useState<Upload>()
  const [failure, setFailure] = useState<{ error: unknown; retry: () => void }>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  /** `fields` are parts of the form before the file. */
  async function start(path: string, file: File, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const startedAt = Date.now()
    const show = (sent: number, total: number) => setUpload({ name: file.name, sent, total, startedAt })
    setFailure(undefined)
    show(0, file.size)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', file)
    try {
      done(await uploadForm<T>(path, form, { signal: controller.signal, onProgress: show }), file)
    } catch (error) {
      if (!controller.signal.aborted) setFailure({ error, retry: () => void start(path, file, fields) })
    } finally {
      if (running.current === controller) setUpload(undefined)
    }
  }

  const cancel = () => {
    running.current?.abort()
    setUpload(undefined)
  }
  return { upload, failure, start, cancel }
}
