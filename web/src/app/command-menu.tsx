import { Dialog } from '../ui/dialog.tsx'
import { listCommands } from './commands.ts'

export const CommandMenu = ({ close }: { close: () => void }) => (
  <Dialog title="Commands" close={close}>
    <ul>
      {listCommands().map(({ id, label, run }) => (
        <li key={id}>
          <button
            type="button"
            onClick={() => {
              close()
              run()
            }}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  </Dialog>
)
