import { noteLostRequest } from '../../api/connection.ts'
import { ApiProblem } from '../../api/problem.ts'
import { readAccessToken, renewAccessToken } from '../../api/session.ts'

type UploadOptions = { signal: AbortSignal; onProgress: (sent: number, total: number) => void }
type UploadResponse = { status: number; body: Record<string, unknown>; retryAfter: string | null }

/** Sends a form with a file. `fetch` cannot report how much of it has been sent. */
export async function uploadForm<T>(path: string, form: FormData, options: UploadOptions): Promise<T> {
  const first = await sendForm(path, form, await readAccessToken(), options)
  const { status, body, retryAfter } =
    first.status === 401 ? await sendForm(path, form, await renewAccessToken(), options) : first
  if (status >= 300) throw new ApiProblem(status, body, retryAfter === null ? null : Number(retryAfter))
  return body as T
}

function sendForm(
  path: string,
  form: FormData,
  accessToken: string,
  { signal, onProgress }: UploadOptions,
): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('authorization', `Bearer ${accessToken}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
    request.onload = () =>
      resolve({
        status: request.status,
        body: parseBody(request.responseText),
        retryAfter: request.getResponseHeader('retry-after'),
      })
    request.onerror = () => {
      noteLostRequest()
      reject(new ApiProblem(0, {}))
    }
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

function parseBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
