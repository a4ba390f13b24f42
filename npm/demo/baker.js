// Bakes in a worker, so that the page goes on.
import { bake, init } from '../bake.js';

// Until something is dropped.
const ready = init().catch(() => {});

addEventListener('message', async ({ data: { files, level, config } }) => {
  try {
    await ready;
    const begin = performance.now();
    const made = await bake({ files, level, config: await config?.text(), progress: (step) => postMessage({ step }) });
    postMessage({ ...made, milliseconds: performance.now() - begin }, [made.bytes.buffer]);
  } catch (error) {
    postMessage({ error: error.message });
  }
});
ready.then(() => postMessage({ ready: true }));
