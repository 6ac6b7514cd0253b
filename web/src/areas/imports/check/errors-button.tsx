import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { loadErrors } from '../import-api.ts'
import type { ListedImport, RecordType } from '../model/types.ts'

const errorsFile = 'errors.csv'

type ErrorsProps = { type: RecordType; file: Pick<ListedImport, 'id' | 'filename'>; size?: 'normal' | 'small' }

export function ErrorsButton({ type, file, size = 'small' }: ErrorsProps) {
  const download = useMutation({
    mutationFn: async () => {
      const name = file.filename.replace(/\.\w+$/, '')
      saveFile(await loadErrors(type, file.id), `${name}-${errorsFile}`)
    },
    onError: (error) => showRepeatableProblem(error, () => download.mutate()),
  })
  return (
    <Button size={size} icon={<Download size={14} />} disabled={download.isPending} onClick={() => download.mutate()}>
      {errorsFile}
    </Button>
  )
}
