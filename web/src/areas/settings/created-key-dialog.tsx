import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { apiKeyTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './settings.module.css'
import type { CreatedApiKey } from './settings-queries.ts'

/** Shows the key once. Escape does not close it, because the key would be lost. */
export function CreatedKeyDialog({ apiKey, close }: { apiKey: CreatedApiKey; close: () => void }) {
  const key = apiKey.key ?? ''
  const call = `curl ${location.origin}/api/auth/me \\\n  -H "Authorization: Bearer ${key}"`
  return (
    <Dialog
      title={apiKeyTexts.created}
      width="wide"
      footer={
        <Button variant="primary" onClick={close}>
          {apiKeyTexts.done}
        </Button>
      }
    >
      <p>{apiKeyTexts.createdText}</p>
      <CopiedText label={apiKeyTexts.key} copyLabel={apiKeyTexts.copyKey} text={key} />
      <CopiedText label={apiKeyTexts.firstCall} copyLabel={apiKeyTexts.copyCall} text={call} />
      <p>
        <a className={styles.textLink} href="/reference" target="_blank" rel="noreferrer">
          {apiKeyTexts.reference}
        </a>
      </p>
    </Dialog>
  )
}

function CopiedText({ label, copyLabel, text }: { label: string; copyLabel: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <figure className={styles.secret}>
      <figcaption>{label}</figcaption>
      <pre>{text}</pre>
      <Button
        size="small"
        icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
        aria-label={copyLabel}
        onClick={() => void copy()}
      >
        {isCopied ? apiKeyTexts.copied : apiKeyTexts.copy}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? apiKeyTexts.copied : ''}
      </span>
    </figure>
  )
}
