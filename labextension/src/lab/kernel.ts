// What the Python of a notebook's kernel says of itself, when somebody asks.
import type { Kernel as Connection } from '@jupyterlab/services';
import type { Kernel } from '../panel/host.js';

/** Longer than that, in milliseconds, and a cell is running. */
const PATIENCE = 8000;

/** The package as it would be used: with the store that the magics have open, else with the one they would open. */
const FACTS = `(lambda config, around, magics: (lambda store: {
  'version': __import__('jupyter_memo').__version__,
  'python': __import__('platform').python_version(),
  'environment': __import__('sys').prefix,
  'store': store,
  'checks': [{'ok': check.ok, 'detail': check.detail, 'cure': check.cure}
             for check in around.of_kernel(store=store, embedder=config.load().embedder)]
})(str((magics and magics.store) or config.store_path(None, config.load()))))(
  __import__('jupyter_memo.config', fromlist=['load']),
  __import__('jupyter_memo.jupyter.surroundings', fromlist=['of_kernel']),
  get_ipython().magics_manager.registry.get('MemoMagics'))`;
/** Hexadecimal, for what comes back is the representation of a text; one line, for it is evaluated. */
const EXPRESSION = `__import__('json').dumps(${FACTS.replace(/\s+/gu, ' ')}).encode().hex()`;

/** Asks without a trace: nothing is printed, counted, kept in the history or given a name. */
export async function ask(kernel: Connection.IKernelConnection): Promise<Kernel> {
  const { language_info: language } = await within(kernel.info);
  if (language.name !== 'python') {
    return { ...NONE, missing: `This kernel runs ${language.name}; jupyter_memo needs Python.` };
  }
  const asked = kernel.requestExecute({
    code: '',
    silent: true,
    store_history: false,
    allow_stdin: false,
    user_expressions: { memo: EXPRESSION }
  });
  try {
    const { content } = await within(asked.done);
    const found = 'user_expressions' in content ? content.user_expressions?.memo : undefined;
    return told(found);
  } finally {
    asked.dispose();
  }
}

const NONE: Kernel = { version: '', python: '', environment: '', store: '', checks: [], missing: '' };

/** The facts in the answer to the expression; what is missing is said. */
export function told(found: unknown): Kernel {
  const { status, data, ename, evalue } = (found ?? {}) as Record<string, unknown>;
  if (status === 'ok') {
    const hex = String((data as Record<string, unknown>)['text/plain']).replace(/[^0-9a-f]/gu, '');
    const bytes = Uint8Array.from(hex.match(/../gu) ?? [], pair => Number.parseInt(pair, 16));
    return sound(JSON.parse(new TextDecoder().decode(bytes)));
  }
  if (ename === 'ModuleNotFoundError' && String(evalue).includes('jupyter_memo')) {
    return { ...NONE, missing: 'jupyter_memo is not installed in the environment of this kernel.' };
  }
  const why = ename ? `${String(ename)}: ${String(evalue)}` : 'it gave no answer';
  return { ...NONE, missing: `jupyter_memo cannot be used in this kernel (${why}).` };
}

/** Another version's answer may lack a part, or hold one of another form. */
function sound(found: unknown): Kernel {
  const { version, python, environment, store, checks } = (found ?? {}) as Record<string, unknown>;
  const word = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    ...NONE,
    version: word(version),
    python: word(python),
    environment: word(environment),
    store: word(store),
    checks: (Array.isArray(checks) ? checks : [])
      .filter((check): check is Record<string, unknown> => typeof check === 'object' && check !== null)
      .map(check => ({ ok: check.ok === true, detail: word(check.detail), cure: word(check.cure) }))
      .filter(check => check.ok || check.detail !== '')
  };
}

function within<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The kernel is busy. Ask again when the running cell is done.')),
      PATIENCE
    );
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
